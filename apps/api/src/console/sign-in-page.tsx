import type { Operator } from '../injected/console-user.js';
import { Hidden, TextField } from './html/form.js';
import { renderPage } from './html/layout.js';
import { Notice } from './html/parts.js';

/** Why somebody is not signed in. */
export type SignInRefusal =
  | 'wrong'
  | { readonly waitSeconds: number }
  | 'unreachable'
  | 'busy'
  | 'not-completed'
  | 'no-name'
  | 'no-group'
  | 'name-taken';

export function signInPage({
  next,
  name = '',
  refusal,
  csrfToken,
  hasUsers,
  identityProvider,
}: {
  readonly next: string;
  readonly name?: string;
  readonly refusal?: SignInRefusal;
  readonly csrfToken: string;
  /** Whether anybody has a password here. */
  readonly hasUsers: boolean;
  /** What the identity provider is called; absent if there is none. */
  readonly identityProvider?: string | undefined;
}): string {
  return renderPage({
    title: 'Sign in',
    children: (
      <>
        {refusal !== undefined && <Notice tone="bad">{sentenceOf(refusal)}</Notice>}
        {!hasUsers && identityProvider === undefined && (
          <Notice tone="caution">
            Nobody can sign in: CONSOLE_USERS names no user, and CONSOLE_OIDC is not set.
          </Notice>
        )}
        {identityProvider !== undefined && (
          <p class="actions">
            <a href={`/console/sign-in/oidc?next=${encodeURIComponent(next)}`}>
              Sign in with {identityProvider}
            </a>
          </p>
        )}
        {(hasUsers || identityProvider === undefined) && (
          <PasswordForm next={next} name={name} csrfToken={csrfToken} />
        )}
      </>
    ),
  });
}

/** Leads on by itself, and by a link. */
export function signedInPage({ operator, next }: { operator: Operator; next: string }): string {
  return renderPage({
    title: 'Signed in',
    leadsTo: next,
    children: (
      <p>
        You are signed in as {operator.name} ({operator.role}). <a href={next}>Continue</a>
      </p>
    ),
  });
}

function PasswordForm({ next, name, csrfToken }: { next: string; name: string; csrfToken: string }) {
  const entered = { name };
  return (
    <form class="stack" method="post" action="/console/sign-in">
      <Hidden values={{ _csrf: csrfToken, next }} />
      <TextField name="name" label="Name" autocomplete="username" isRequired entered={entered} issues={{}} />
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
  );
}

const sentences = {
  wrong: 'The name or the password is wrong.',
  unreachable: 'The identity provider cannot be reached. Try again in a moment.',
  busy: 'Too many people sign in at the same time. Try again in a moment.',
  'not-completed': 'The sign-in was not completed, or took more than ten minutes. Try again.',
  'no-name': 'The identity provider gave no name that the console can use. Ask whoever has set it up.',
  'no-group': 'You are in no group that may use the console. Ask whoever gives out its roles.',
  'name-taken':
    'A user of the configuration has your name. Sign in with the password, or have that user renamed.',
} as const;

function sentenceOf(refusal: SignInRefusal): string {
  if (typeof refusal === 'string') return sentences[refusal];
  return `Too many tries. Wait ${refusal.waitSeconds} s, then try again.`;
}
