import { toErrorMessage, SvcError } from '../../../base/errors/errors.ts';
import { makeFolder } from '../../../base/system/files/makeFolder.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';

/** Only the owner may look into what jobs and agents write. */
const PRIVATE_FOLDER = 0o700;

/**
 * Makes the home, the working directory, the intelligence directory and the folder of artefact
 * bytes where they are missing, mode 0700. Folders that exist keep their mode. Throws SvcError
 * `config-invalid` for one that cannot be made.
 */
export async function ensureHome(settings: Settings): Promise<void> {
  for (const folder of [
    settings.home,
    settings.paths.workingDir,
    settings.paths.intelligenceDir,
    settings.paths.blobs,
  ]) {
    try {
      await makeFolder(folder, PRIVATE_FOLDER);
    } catch (cause) {
      throw new SvcError(
        'config-invalid',
        `The folder ${folder} cannot be created: ${toErrorMessage(cause)}. Create it yourself, or name another one: SVC_HOME names the home, the configuration the others.`,
        { cause },
      );
    }
  }
}
