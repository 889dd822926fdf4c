import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export type Instruction = readonly [name: string, rest: string];

export interface Compose {
  services: Record<
    string,
    {
      build: string;
      init: boolean;
      restart: string;
      stop_grace_period: string;
      ports: string[];
      volumes: string[];
      environment: Record<string, string>;
    }
  >;
  volumes: Record<string, null>;
}

/** The instructions of a Dockerfile; comments left out, continued lines joined. */
export function parseInstructions(file: string): Instruction[] {
  const text = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n/g, '');
  return text.split('\n').flatMap((line) => {
    const [, name, rest] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? [];
    if (name !== undefined && rest !== undefined) return [[name, rest.trim()] as const];
    if (line.trim() === '') return [];
    throw new Error(`not an instruction of a Dockerfile: ${line}`);
  });
}

export const listInstructions = (instructions: readonly Instruction[], name: string): string[] =>
  instructions.flatMap(([own, rest]) => (own === name ? [rest] : []));

/** The rest of the only instruction with this name; throws for none, and for another one. */
export function findOnlyInstruction(instructions: readonly Instruction[], name: string): string {
  const [one, ...more] = listInstructions(instructions, name);
  if (one === undefined || more.length > 0) throw new Error(`the recipe needs ${name} once`);
  return one;
}

export const readCompose = (file: string): Compose => parse(readFileSync(file, 'utf8'));

/** Commands that the page on containers runs in the container: `docker compose exec runner <command>`. */
export const listExecs = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/docker compose exec runner (svc [^\n`#]+)/g)].map(
    ([, command = '']) => command.trim(),
  );

/** `60s` in ms. */
export function parseDuration(text: string): number {
  const [, amount] = /^(\d+)s$/.exec(text) ?? [];
  if (amount === undefined) throw new Error(`${text} is no number of seconds`);
  return Number(amount) * 1000;
}
