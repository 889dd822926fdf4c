import { SvcError } from '../../base/errors/errors.ts';
import type { ReceivedDelivery } from '../../contract/forge/hook.ts';
import { readDeliveryHeader } from './readDeliveryHeader.ts';

/** Valid ids of deliveries. */
const ID = /^[A-Za-z0-9_=:{}-]{1,128}$/;

/**
 * The id of a delivery in the first of these headers that it has once; null = it has none. Throws SvcError `malformed`
 * for what is no id.
 */
export function readDeliveryId(
  delivery: ReceivedDelivery,
  headers: readonly string[],
): string | null {
  const name = headers.find((header) => readDeliveryHeader(delivery, header) !== null);
  if (name === undefined) return null;
  const id = readDeliveryHeader(delivery, name) ?? '';
  if (!ID.test(id)) throw new SvcError('malformed', `The delivery's ${name} is not an id.`);
  return id;
}
