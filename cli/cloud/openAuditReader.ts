import type { AuditPage, AuditQuery } from '../../src/contract/schema/cloud/audit.ts';
import type { CloudSessionParts } from './cloudSession.ts';
import { openCloudSession } from './cloudSession.ts';

/** Reads the audit log of a team: `team` by ID or slug, without it the team of the login. */
export async function openAuditReader(
  parts: CloudSessionParts,
  team: string | undefined,
): Promise<(query: AuditQuery) => Promise<AuditPage>> {
  const session = await openCloudSession(parts);
  const path = `/teams/${encodeURIComponent(team ?? session.login.team.id)}/audit`;
  return (query) => {
    const parameters = Object.entries(query).map(([name, value]) => [name, String(value)]);
    return session.ask<AuditPage>(`${path}?${new URLSearchParams(parameters)}`);
  };
}
