import postgres from 'postgres';
import { readDatabaseUrl } from '../readDatabaseUrl.ts';
import { ADVISORY_LOCKS } from '../advisoryLocks.ts';

/** Longest wait for the connection, s. */
const CONNECT_SECONDS = 3;

export interface ServerClaim {
  /** Lets another svc use the server. */
  release(): Promise<void>;
}

/**
 * Claims a running server for this process, for as long as it lives; null = another one has it.
 * Rejects with the client's error where it does not answer.
 */
export async function claimServer(url: string): Promise<ServerClaim | null> {
  const address = readDatabaseUrl(url);
  const sql = postgres(address.url, {
    ...(address.path === null ? {} : { path: address.path }),
    max: 1,
    // The lock is the connection's: it must not be exchanged for another one.
    max_lifetime: null,
    connect_timeout: CONNECT_SECONDS,
    fetch_types: false,
    connection: { application_name: 'svc, owner' },
    onnotice: () => undefined,
  });
  try {
    const [row] = await sql`select pg_try_advisory_lock(${ADVISORY_LOCKS.serverOwner}) as mine`;
    if (row?.mine === true) return { release: () => sql.end({ timeout: CONNECT_SECONDS }) };
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  await sql.end({ timeout: CONNECT_SECONDS });
  return null;
}
