import type { ReadDelivery } from '../../contract/forge/hook.ts';

/**
 * What a delivery is known by when it comes again. The id is mostly not signed, so a copy under
 * another id is known by its bytes. One that reports no event is known by its id alone: a sender
 * that only names the pull request sends the same bytes for each thing that happens to it, and a
 * copy has no effect but a poll.
 */
export function listDeliveryKeys({ id, event, translate }: ReadDelivery, bytes: string): string[] {
  if (event !== null || translate) return [...new Set([id, bytes])];
  return id === bytes ? [] : [id];
}
