import type { findCall } from '#database/console';

type WholeCall = NonNullable<Awaited<ReturnType<typeof findCall>>>;
type SentCall = Pick<WholeCall, 'method' | 'path' | 'request_headers' | 'request'>;

/** Curl writes them itself. */
const ownOfCurl = new Set(['content-length', 'host', 'connection', 'accept-encoding']);

/**
 * The call as a command for a POSIX shell. What is redacted stays redacted, and the token is a variable of the shell.
 *
 * @param baseUrl of the provider; undefined if the application is no longer configured.
 */
export function asCurl(
  { method, path, request_headers, request }: SentCall,
  baseUrl: string | undefined,
): string {
  const isRead = method === 'GET' || method === 'HEAD';
  const headers = Object.entries(headersOf(request_headers)).filter(
    ([name]) => !ownOfCurl.has(name.toLowerCase()) && name.toLowerCase() !== 'authorization',
  );
  const parts = [
    `curl ${isRead ? '' : `-X ${method} `}${quoted(`${baseUrl ?? 'https://provider.example'}${path}`)}`,
    `-H "Authorization: Bearer $ACCESS_TOKEN"`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(request === null ? [] : [`--data ${quoted(JSON.stringify(request))}`]),
  ];
  const command = parts.join(' \\\n  ');
  return isRead
    ? command
    : `# If you send it, the provider acts again, unless it knows the request id.\n${command}`;
}

function headersOf(recorded: unknown): Record<string, string> {
  if (typeof recorded !== 'object' || recorded === null) return {};
  return Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name, String(value)]));
}

/** In single quotes a shell reads everything as it is, except a single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
