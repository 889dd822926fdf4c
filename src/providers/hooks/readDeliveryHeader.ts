import type { ReceivedDelivery } from '../../contract/forge/hook.ts';

/** Null for a missing or repeated header. */
export function readDeliveryHeader(
  { headers }: Pick<ReceivedDelivery, 'headers'>,
  name: string,
): string | null {
  const wanted = name.toLowerCase();
  const found = Object.entries(headers).filter(
    ([key, value]) => key.toLowerCase() === wanted && value !== undefined,
  );
  const [[, value] = []] = found;
  return found.length === 1 && typeof value === 'string' ? value : null;
}
