import type { ReceivedDelivery } from '../../contract/forge/hook.ts';

/** Null for a missing or repeated header. */
export function readDeliveryHeader(
  { headers }: Pick<ReceivedDelivery, 'headers'>,
  name: string,
): string | null {
  const wantedName = name.toLowerCase();
  const headerEntries = Object.entries(headers).filter(
    ([key, value]) => key.toLowerCase() === wantedName && value !== undefined,
  );
  const [[, value] = []] = headerEntries;
  return headerEntries.length === 1 && typeof value === 'string' ? value : null;
}
