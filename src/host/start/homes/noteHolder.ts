import { SvcError } from '../../../base/errors/errors.ts';
import { toFields } from '../../../base/json/untrusted.ts';
import { writeFencedNote } from '../../config/home/fencedNote.ts';

/** Keeps in the home who has its jobs, where a start is refused for that reason: `svc runner status` names the runner. */
export function noteHolder(home: string, refusal: unknown): void {
  if (!(refusal instanceof SvcError) || refusal.code !== 'home-claimed') return;
  const { name, since } = toFields(refusal.data.holder);
  if (typeof name === 'string' && typeof since === 'string') writeFencedNote(home, { name, since });
}
