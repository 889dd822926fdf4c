import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toDoneResult, buildInputSchema, ToolFault, type AgentTool } from './agentTool.ts';
import { readPlaceText } from './loadMemory.ts';
import type { Places } from './tools/places.ts';

const BLOCK = /^---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)/s;

/** Name, description and text of a skill's file. Other members and forms are ignored. */
export function parseSkillFile(source: string): {
  name: string | null;
  description: string;
  body: string;
} {
  const text = source.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const block = BLOCK.exec(text);
  const lines = (block?.[1] ?? '').split('\n');
  const value = (key: string): string | null => {
    const at = lines.findIndex((line) => line.startsWith(`${key}:`));
    const first = lines[at]?.slice(key.length + 1).trim();
    if (first === undefined) return null;
    const end = lines.findIndex((line, index) => index > at && !/^\s/.test(line));
    // Indented lines continue a description.
    const more = lines.slice(at + 1, end === -1 ? undefined : end).map((line) => line.trim());
    return [/^[>|][+-]?$/.test(first) ? '' : first.replace(/^(["'])(.*)\1$/, '$2'), ...more]
      .filter((part) => part !== '')
      .join(' ');
  };
  return {
    name: value('name'),
    description: value('description') ?? '',
    body: text.slice(block?.[0].length ?? 0),
  };
}

/** Longest description of a skill that the model sees, characters. */
const MAX_DESCRIPTION_CHARS = 500;

export interface Skill {
  name: string;
  description: string;
  dir: string;
  body: string;
}

async function loadFolderSkills(places: Places, dir: string): Promise<Skill[]> {
  const names = (await readdir(dir).catch(() => [])).sort();
  const skills = await Promise.all(
    names.map(async (folder): Promise<Skill | null> => {
      const text = await readPlaceText(places, join(dir, folder, 'SKILL.md'));
      if (text === null) return null;
      const { name, description, body } = parseSkillFile(text);
      return {
        name: name ?? folder,
        description: description.slice(0, MAX_DESCRIPTION_CHARS),
        dir: join(dir, folder),
        body,
      };
    }),
  );
  return skills.filter((skill) => skill !== null);
}

/**
 * The skills of the overlay and, where it has none of the same name, of the checkout:
 * `.claude/skills/<folder>/SKILL.md`.
 */
export async function loadSkills(places: Places, overlayDir: string): Promise<Skill[]> {
  const all = await Promise.all(
    [overlayDir, places.root].map((root) =>
      loadFolderSkills(places, join(root, '.claude', 'skills')),
    ),
  );
  const byName = new Map<string, Skill>();
  for (const skill of all.flat()) if (!byName.has(skill.name)) byName.set(skill.name, skill);
  return [...byName.values()];
}

export const createSkillTool = (skills: readonly Skill[]): AgentTool => ({
  name: 'Skill',
  description: [
    'Returns the instructions of a skill. Call it before you begin work that a skill covers. Skills:',
    ...skills.map(({ name, description }) => `- ${name}: ${description}`),
  ].join('\n'),
  inputSchema: buildInputSchema({ skill: { type: 'string', description: 'Name of the skill.' } }, [
    'skill',
  ]),
  async run(args) {
    const wantedName = args.text('skill');
    const skill = skills.find(({ name }) => name === wantedName);
    if (!skill)
      throw new ToolFault(
        `The skill ${wantedName} does not exist. The skills are: ${skills.map(({ name }) => name).join(', ')}.`,
      );
    return toDoneResult(`The files of this skill are in ${skill.dir}.\n\n${skill.body.trim()}`);
  },
});
