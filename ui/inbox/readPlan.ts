import type { Client } from '../../src/api/client/client.ts';

/** Plans that are kept. One may have several hundred KB. */
const MOST_KEPT = 6;

const kept = new Map<string, Promise<string>>();

/** The text of a plan, which never changes under its id: read once while it is kept. */
export function readPlan(
  client: Pick<Client, 'artefact'>,
  jobId: string,
  artefactId: string,
): Promise<string> {
  const key = `${jobId}/${artefactId}`;
  const known = kept.get(key);
  if (known) return known;
  const reading = client.artefact(jobId, artefactId);
  kept.set(key, reading);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  reading.catch(() => kept.delete(key));
  return reading;
}
