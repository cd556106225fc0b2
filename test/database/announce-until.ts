import type { ChangeAnnouncer } from '#database/connection';
import { until } from '../helpers/until.js';

/** An announcement is only a hint, and is lost when its connection is made too slowly: it is made again until it is heard. */
export async function announceUntil(by: ChangeAnnouncer, id: string, heard: Promise<unknown>): Promise<void> {
  let isHeard = false;
  void heard.then(() => (isHeard = true));
  const announceAgain = async () => {
    by.announce(id);
    return isHeard;
  };
  await until(announceAgain, Boolean, 'an announcement to be heard');
}
