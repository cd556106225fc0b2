import { sql } from 'kysely';
import { endedStatuses } from './ended-payments.js';

/**
 * What a pending capture leaves of a hold can be captured or released: `holdsBesidePending` of the lifecycle in SQL. Only
 * the state of a payment that is capturing is read.
 */
const holdsBesidePending = sql<boolean>`(status = 'capturing' and state->'openStep' is null
  and state->'holdEnd' is null and state->'order'->'holdsRest' = 'true'
  and (select bool_or(capture.status = 'pending') and not bool_or(capture.final)
      and sum(capture.minor) < least(
        coalesce((state #>> '{reauthorizations,limit}')::bigint, (state #>> '{order,amount,minor}')::bigint),
        (state #>> '{authorization,minor}')::bigint + coalesce(sum(capture.minor) filter (
          where capture."authorizationId" <> state #>> '{authorization,authorizationId}'
            and state #> '{reauthorizations,earlier}' @>
              jsonb_build_array(jsonb_build_object('authorizationId', capture."authorizationId"))), 0))
    from jsonb_to_recordset(state->'captures') as capture ("authorizationId" text, minor bigint, status text, final boolean)
    where capture.status <> 'denied'))`;

/** Payments with money that is held and can be captured, in the words of the index payments_by_hold. */
export const areHeld = sql<boolean>`(status not in (${endedStatuses})
  and (status in ('authorized', 'partially_captured') or ${holdsBesidePending}))`;
