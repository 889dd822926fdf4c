import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';

const PACKAGE = '@svc/runner';
/** Files that name every other one of the program by its content. */
const ENTRIES = ['dist/runner/main.js', 'dist/cli/start.js'];
/** Has the name of the build, which is made of them: they are not read at each start for it. */
export const BUILD_NAME = 'dist/build';
/** Characters of a build's name. */
const NAME_LENGTH = 12;

export interface Program {
  root: string;
  /** Such as 0.2.0. */
  version: string;
  /** Names its code, wherever it is: two builds of one version differ. */
  build: string;
}

/** The name of a build, made of its files. From the sources there is one build. */
export async function computeBuildName(root: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for (const entry of ENTRIES) hash.update(await readFile(join(root, entry)));
  } catch {
    return 'source';
  }
  return hash.digest('hex').slice(0, NAME_LENGTH);
}

/** Programs of earlier versions do not bring it; a loss of power may have left it empty. */
async function readBuildName(root: string): Promise<string> {
  const buildName = await readFile(join(root, BUILD_NAME), 'utf8').catch(() => '');
  return buildName.length === NAME_LENGTH ? buildName : computeBuildName(root);
}

/** The program in a folder. Throws SvcError `bad-argument` if svc is not in it. */
export async function readProgramAt(root: string): Promise<Program> {
  let version: unknown;
  try {
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const { name, version: packageVersion } = Object(manifest);
    if (name !== PACKAGE) throw new Error(`package.json belongs to ${String(name)}`);
    version = packageVersion;
  } catch (cause) {
    throw new SvcError(
      'bad-argument',
      `${root} is not an svc installation: ${toErrorMessage(cause)}.`,
      {
        cause,
      },
    );
  }
  return { root, version: String(version), build: await readBuildName(root) };
}

export const formatProgramName = ({ version, build }: Pick<Program, 'version' | 'build'>): string =>
  `svc ${version} (build ${build})`;

export const isOtherProgram = (a: Program, b: Program): boolean =>
  a.build !== b.build || a.version !== b.version;
