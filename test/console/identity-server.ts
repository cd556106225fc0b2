import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

const clientId = 'payments-console';
const clientSecret = 'planted-secret-of-the-console';

/** A certified OpenID provider on loopback, whose users choose their names and passwords as they sign in. */
export class IdentityServer {
  private constructor(
    readonly issuer: string,
    private readonly handleBy: (listener: RequestListener) => void,
    /** Ends it; nobody can sign in through it then. */
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<IdentityServer> {
    let handle = answerNothingYet;
    const server = createServer((request, response) => handle(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new IdentityServer(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      (listener) => (handle = listener),
      async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    );
  }

  /** What the API is configured with. */
  get settings() {
    return {
      issuer: this.issuer,
      clientId,
      clientSecret,
      name: 'Acme',
      scope: 'openid profile',
      nameClaim: 'preferred_username',
      groupsClaim: 'groups',
      groups: { viewer: ['everybody'], operator: ['payments'], admin: ['payments-leads'] },
    };
  }

  /** @param groupsOf by the name of a user, the groups. */
  serve(callback: string, groupsOf: Readonly<Record<string, readonly string[]>>): void {
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [callback] }],
      claims: { profile: ['preferred_username', 'groups'] },
      ttl: { IdToken: 600, Interaction: 600, Session: 600, Grant: 600, AccessToken: 600 },
      // As most providers do it: groups are in the ID token.
      conformIdTokenClaims: false,
      cookies: { keys: ['a-key-that-signs-its-cookies'] },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({ sub: id, preferred_username: id, groups: [...(groupsOf[id] ?? [])] }),
      }),
    });
    const listener = provider.callback();
    this.handleBy((request, response) => void listener(request, response));
  }
}

const answerNothingYet: RequestListener = (_request, response) => response.writeHead(503).end();
