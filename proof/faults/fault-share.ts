/** In which the sandbox is asked for a fault, beside its target. */
type FaultKind =
  | { readonly kind: 'drop_reply' }
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'late'; readonly executeAfterMs: number; readonly delayMs: number }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'poison' }
  | {
      readonly kind: 'garbage';
      readonly body: 'html' | 'truncated' | 'gateway_json';
      readonly status?: number;
    }
  | { readonly kind: 'reshape'; readonly remove: readonly string[] }
  | { readonly kind: 'unknown_enum'; readonly field: string }
  | { readonly kind: 'stale_read'; readonly lagMs: number }
  | { readonly kind: 'decline' }
  | { readonly kind: 'pending'; readonly settlesAs: 'completed' | 'denied'; readonly afterMs: number }
  | { readonly kind: 'drop_delivery' }
  | { readonly kind: 'delay_delivery'; readonly delayMs: number }
  | { readonly kind: 'duplicate_delivery'; readonly copies: number }
  | { readonly kind: 'reorder_deliveries'; readonly holdMs: number }
  | { readonly kind: 'corrupt_delivery'; readonly part: 'body' | 'signature' | 'webhook_id' };

export interface FaultShare {
  readonly fault: FaultKind;
  /** Of the calls (or deliveries) that it could strike. */
  readonly probability: number;
  readonly operations: readonly string[];
  /** Name of the only application that it concerns; absent: of all. */
  readonly application?: string;
}
