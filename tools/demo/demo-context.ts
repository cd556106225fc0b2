/** What a played lifecycle needs of the stack. */
export interface DemoContext {
  /** Origin of the API. */
  readonly api: string;
  readonly apiKey: string;
  /** The payments service, and the demo's application there. */
  readonly sandbox: { readonly url: string; readonly clientId: string; readonly clientSecret: string };
  /** Prints one line of the timeline. */
  readonly tell: (actor: string, what: string) => void;
  readonly signal: AbortSignal;
  /** Milliseconds of the provider's day where days pass; absent: the shortest that an idle machine can act in. */
  readonly dayLengthMs?: number;
}

export interface PlayedLifecycle {
  /** Id of the engine's own resource, such as pay_…; names the run. */
  readonly id: string;
  /** The state in which it ended. */
  readonly state: string;
}
