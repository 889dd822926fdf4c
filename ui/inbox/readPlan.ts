import type { Client } from '../../src/api/client/client.ts';

/** Plans that are kept. One may have several hundred KB. */
const MOST_KEPT = 6;

const plans = new Map<string, Promise<string>>();

/** The text of a plan, which never changes under its id: read once while it is kept. */
export function readPlan(
  client: Pick<Client, 'artefact'>,
  jobId: string,
  artefactId: string,
): Promise<string> {
  const key = `${jobId}/${artefactId}`;
  const knownPlan = plans.get(key);
  if (knownPlan) return knownPlan;
  const reading = client.artefact(jobId, artefactId);
  plans.set(key, reading);
  const [oldest] = plans.keys();
  if (plans.size > MOST_KEPT && oldest !== undefined) plans.delete(oldest);
  reading.catch(() => plans.delete(key));
  return reading;
}
