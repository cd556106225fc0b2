import type { SignIn } from '../sign-in/console-sessions.js';
import { Hidden, TextField } from './html/form.js';
import { renderPage } from './html/layout.js';
import { Notice } from './html/parts.js';

type Refusal = Extract<SignIn, { readonly refusal: unknown }>['refusal'];

export function signInPage({
  next,
  name = '',
  refusal,
  csrfToken,
  hasUsers,
}: {
  readonly next: string;
  readonly name?: string;
  readonly refusal?: Refusal;
  readonly csrfToken: string;
  readonly hasUsers: boolean;
}): string {
  const entered = { name };
  return renderPage({
    title: 'Sign in',
    children: (
      <>
        {refusal !== undefined && <Notice tone="bad">{sentenceOf(refusal)}</Notice>}
        {!hasUsers && <Notice tone="caution">Nobody can sign in: CONSOLE_USERS names no user.</Notice>}
        <form class="stack" method="post" action="/console/sign-in">
          <Hidden values={{ _csrf: csrfToken, next }} />
          <TextField
            name="name"
            label="Name"
            autocomplete="username"
            isRequired
            entered={entered}
            issues={{}}
          />
          <TextField
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            isRequired
            entered={entered}
            issues={{}}
          />
          <button class="primary" type="submit">
            Sign in
          </button>
        </form>
      </>
    ),
  });
}

function sentenceOf(refusal: Refusal): string {
  if (refusal === 'wrong') return 'The name or the password is wrong.';
  return `Too many tries. Wait ${refusal.waitSeconds} s, then try again.`;
}
