import { rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../../git/cleanup/tree.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { writePrivateFile } from '../../base/system/files/writePrivateFile.ts';
import { type HomeFolder, RECORD, REMOVAL, STATE } from './inspectHomeToRemove.ts';

export interface RemovalRequest {
  home: HomeFolder;
  /** ISO 8601. */
  at: string;
  /**
   * Takes the state for this process, so that no runner begins meanwhile, and answers how to give it
   * back. Throws SvcError `locked` where another process has it.
   */
  takeState(stateDb: string): () => void;
  /** The moments between which it may be killed; default: nothing. */
  onStep?(name: string): void;
}

/**
 * Removes what svc has put into a home, then the folder; answers what is not svc's and stays, with the
 * folder. Links are removed, never what they lead to. It begins with a note of its own: killed anywhere
 * after that, the home is refused by every start, and a repeat continues. Throws SvcError `conflict` for what
 * cannot be removed, once all else is.
 */
export async function removeHome(request: RemovalRequest): Promise<string[]> {
  const { home, at, onStep: reached = () => {} } = request;
  const { path, named, own, others } = home;
  await writePrivateFile(join(path, REMOVAL), `${JSON.stringify({ at })}\n`, 'draft');
  reached(REMOVAL);
  const giveBack = await takeHomeState(request);
  const failures: string[] = [];
  const remove = async (name: string): Promise<void> => {
    try {
      await removeTree(join(path, name));
    } catch (error) {
      failures.push(`${join(path, name)}: ${toErrorMessage(error)}`);
    }
    reached(name);
  };
  const isLast = (name: string): boolean => name === REMOVAL || name === RECORD || STATE.test(name);
  for (const name of own) if (!isLast(name)) await remove(name);
  giveBack();
  for (const name of own) if (STATE.test(name)) await remove(name);
  if (failures.length > 0)
    throw new SvcError(
      'conflict',
      `Not everything in ${named} could be removed. ${failures.join('. ')}. Run svc uninstall --purge again: it continues.`,
    );
  if (own.includes(RECORD)) await remove(RECORD);
  await remove(REMOVAL);
  if (others.length > 0) return others.map((name) => join(path, name));
  // A folder that is a mount point stays, empty.
  await rmdir(path).catch(() => undefined);
  // Where the home is named by a link, that goes too.
  if (named !== path) await unlink(named).catch(() => undefined);
  return [];
}

/** If another process has the state, the note is removed again. */
async function takeHomeState({ home, takeState }: RemovalRequest): Promise<() => void> {
  if (!home.own.includes('state.db')) return () => {};
  try {
    return takeState(join(home.path, 'state.db'));
  } catch (error) {
    // A state that is damaged cannot be opened, by no runner either.
    if (!(error instanceof SvcError) || error.code !== 'locked') return () => {};
    if (!home.begun) await rm(join(home.path, REMOVAL), { force: true });
    throw error;
  }
}
