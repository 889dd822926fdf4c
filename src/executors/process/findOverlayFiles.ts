import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface OverlayFiles {
  memoryFile: string | null;
  skillsDir: string | null;
}

const toExistingPath = async (path: string): Promise<string | null> =>
  (await stat(path).catch(() => null)) === null ? null : path;

export const findOverlayFiles = async (overlayDir: string): Promise<OverlayFiles> => ({
  memoryFile: await toExistingPath(join(overlayDir, '.claude', 'CLAUDE.md')),
  skillsDir: await toExistingPath(join(overlayDir, '.claude', 'skills')),
});

/** The memory file as a part of a prompt, for agents that do not load it; empty without one. */
export async function readMemoryPart({ memoryFile }: OverlayFiles): Promise<string> {
  const text = memoryFile === null ? '' : await readFile(memoryFile, 'utf8').catch(() => '');
  return text.trim() === '' ? '' : `# Memory\n\n${text.trim()}`;
}

const parseDescriptionLine = (text: string): string =>
  /^description:\s*["']?(.*?)["']?\s*$/m.exec(text)?.[1] ?? '';

/**
 * The skills as a list for a prompt: name, description, file; for agents that do not load them.
 * Empty without skills.
 */
export async function renderSkillList({ skillsDir }: OverlayFiles): Promise<string> {
  if (skillsDir === null) return '';
  const names = (await readdir(skillsDir).catch(() => [])).toSorted();
  const lines = await Promise.all(
    names.map(async (name) => {
      const file = join(skillsDir, name, 'SKILL.md');
      const text = await readFile(file, 'utf8').catch(() => null);
      return text === null ? [] : [`- ${name}: ${parseDescriptionLine(text)} (${file})`];
    }),
  );
  const filePaths = lines.flat();
  return filePaths.length === 0
    ? ''
    : [
        '# Skills',
        'Read the file of a skill before you do work that it covers.',
        filePaths.join('\n'),
      ].join('\n\n');
}
