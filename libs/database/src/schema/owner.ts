/** Names an application of an environment. */
export interface Owner {
  readonly environment: string;
  readonly application: string;
}
