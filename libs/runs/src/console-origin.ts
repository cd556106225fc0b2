import { payoutWorkflowType, refundWorkflowType, type RunStart } from '#workflows/contract';

export interface ConsoleOrigin {
  /** Origin under which the API and its console are reached; absent: runs link no page. */
  readonly publicUrl?: string | undefined;
}

/** The runs whose input names no other address of the API. */
const unaddressed: readonly string[] = [refundWorkflowType, payoutWorkflowType];

/** What the input of a run has besides, so that Temporal's UI can link the subject's page in the console. */
export function consoleOriginIn({ type }: Pick<RunStart, 'type'>, { publicUrl }: ConsoleOrigin) {
  if (publicUrl === undefined || !unaddressed.includes(type)) return {};
  return { publicUrl: publicUrl.replace(/\/+$/, '') };
}
