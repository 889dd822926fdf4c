import { sha256 } from '../../../base/system/ids/ids.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import { API_SCOPE } from './issuerConfiguration.ts';

/** A machine that waits until someone allows it (RFC 8628). */
export interface WaitingDevice {
  /** Hash of its code, as stored. */
  id: string;
  /** As it calls itself; null = it did not. */
  name: string | null;
  address: string;
  /** Epoch ms. */
  askedAt: number;
}

interface DeviceRow {
  id: string;
  payload: {
    iat?: number;
    params?: { device_name?: string };
    deviceInfo?: { address?: string };
  };
}

/** As the authorization server compares codes: letters and digits count. */
const toCodeHash = (typedCode: string): string =>
  sha256(typedCode.toUpperCase().replace(/[^A-Z0-9]/g, ''));

/** null = no machine waits with this code, it has been answered, or has expired. */
export async function findDevice(
  { database, clock }: CloudContext,
  typedCode: string,
): Promise<WaitingDevice | null> {
  const [row] = await database.sql<DeviceRow[]>`
    select id, payload from oauth_records
    where model = 'DeviceCode' and user_code = ${toCodeHash(typedCode)} and consumed_at is null
      and expires_at > ${new Date(clock.now())}
      and not payload ? 'accountId' and not payload ? 'error'`;
  if (row === undefined) return null;
  const { id, payload } = row;
  return {
    id,
    name: payload.params?.device_name ?? null,
    address: payload.deviceInfo?.address ?? 'unknown',
    askedAt: (payload.iat ?? 0) * 1000,
  };
}

/** False where someone else has answered meanwhile. */
export async function allowDevice(
  context: CloudContext,
  device: WaitingDevice,
  { userId, grantId }: { userId: string; grantId: string },
): Promise<boolean> {
  const answer = {
    accountId: userId,
    grantId,
    scope: API_SCOPE,
    resource: context.publicUrl,
    authTime: Math.floor(context.clock.now() / 1000),
  };
  return answerDevice(context, device, answer, grantId);
}

export const denyDevice = (context: CloudContext, device: WaitingDevice): Promise<boolean> =>
  answerDevice(
    context,
    device,
    { error: 'access_denied', errorDescription: 'The person did not allow it.' },
    null,
  );

async function answerDevice(
  { database: { sql } }: CloudContext,
  { id }: WaitingDevice,
  answer: Record<string, string | number>,
  grantId: string | null,
): Promise<boolean> {
  const answeredRows = await sql`
    update oauth_records set payload = payload || ${sql.json(answer)}, grant_id = ${grantId}
    where model = 'DeviceCode' and id = ${id}
      and not payload ? 'accountId' and not payload ? 'error'`;
  return answeredRows.count > 0;
}
