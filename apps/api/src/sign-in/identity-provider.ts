import { Inject, Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import type { Logger } from 'pino';
import { z } from 'zod';
import { BoundedWaits } from '../commands/bounded-waits.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import type { ConsoleIdentityProvider } from '../injected/console-user.js';
import { log } from '../injected/log.js';
import type { FederatedOperator } from './console-sessions.js';
import { type NotAdmitted, federatedOperator } from './federated-operator.js';

export const callbackPath = '/console/sign-in/oidc/callback';

/** Its answer is awaited by a person. */
const timeoutSeconds = 10;
/** Anybody can cause a call to it. */
const mostCallsAtOnce = 10;

/** What the browser keeps while its user is at the identity provider. */
const begunSignIn = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** The page of the console that was asked for. */
  next: z.string(),
});
export type BegunSignIn = z.output<typeof begunSignIn>;

export type FederatedSignIn =
  FederatedOperator | { readonly refusal: NotAdmitted | 'not-completed' | 'busy' };

/** Asks an OpenID Connect provider who somebody is, by the authorization code flow with PKCE, state and nonce. */
@Injectable()
export class IdentityProvider {
  private readonly calls = new BoundedWaits(mostCallsAtOnce);
  private discovered: Promise<oidc.Configuration> | undefined;

  constructor(
    @Inject(apiConfig) private readonly config: ApiConfig,
    @Inject(log) private readonly logger: Logger,
  ) {}

  /** The name that people see; undefined if there is none. */
  get name(): string | undefined {
    return this.config.consoleIdentityProvider?.name;
  }

  /**
   * @returns where the browser goes, and what it keeps until it returns; undefined if the provider cannot be asked now.
   */
  async begin(next: string): Promise<{ address: string; begun: string } | undefined> {
    const provider = this.provider();
    const known = await this.asked('begin', () => this.metadata(provider));
    if (!known) return undefined;
    const [state, nonce, codeVerifier] = [
      oidc.randomState(),
      oidc.randomNonce(),
      oidc.randomPKCECodeVerifier(),
    ];
    const address = oidc.buildAuthorizationUrl(known, {
      redirect_uri: this.config.publicUrl + callbackPath,
      scope: provider.scope,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    const begun = JSON.stringify({ state, nonce, codeVerifier, next } satisfies BegunSignIn);
    return { address: address.href, begun: Buffer.from(begun).toString('base64url') };
  }

  /** @param callbackAddress with the query that the identity provider has added */
  async finish(callbackAddress: string, begun: BegunSignIn): Promise<FederatedSignIn> {
    const provider = this.provider();
    const answered = await this.calls.within('calls', () =>
      this.asked('finish', async () =>
        oidc.authorizationCodeGrant(
          await this.metadata(provider),
          new URL(this.config.publicUrl + callbackAddress),
          {
            expectedState: begun.state,
            expectedNonce: begun.nonce,
            pkceCodeVerifier: begun.codeVerifier,
            idTokenExpected: true,
          },
        ),
      ).then((tokens) => ({ claims: tokens?.claims() })),
    );
    if (!answered) return { refusal: 'busy' };
    if (!answered.claims) return { refusal: 'not-completed' };
    const operator = federatedOperator(answered.claims, provider);
    return typeof operator === 'string' ? { refusal: operator } : { operator, subject: answered.claims.sub };
  }

  private async metadata({ issuer, clientId, clientSecret }: ConsoleIdentityProvider) {
    // The configuration allows plain http on loopback only.
    const execute = [
      oidc.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ];
    const options = { timeout: timeoutSeconds, execute };
    this.discovered ??= oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, options);
    try {
      return await this.discovered;
    } catch (error) {
      this.discovered = undefined;
      throw error;
    }
  }

  /** Its own words are not logged: they can name the user. */
  private async asked<T>(step: string, ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      const { name, code } = error as { readonly name?: string; readonly code?: string };
      this.logger.warn(
        { step, error: name, code },
        'a sign-in by the identity provider failed: check CONSOLE_OIDC and whether the issuer can be reached',
      );
      return undefined;
    }
  }

  private provider(): ConsoleIdentityProvider {
    const provider = this.config.consoleIdentityProvider;
    if (!provider) throw new Error('CONSOLE_OIDC is not set');
    return provider;
  }
}

/** @returns undefined for what is no begun sign-in. */
export function readBegunSignIn(cookie: string | undefined): BegunSignIn | undefined {
  try {
    return begunSignIn.parse(JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString('utf8')));
  } catch {
    return undefined;
  }
}
