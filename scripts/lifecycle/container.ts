import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import {
  listInstructions,
  type Compose,
  readCompose,
  parseDuration,
  listExecs,
  type Instruction,
  parseInstructions,
  findOnlyInstruction,
} from './recipe.ts';
import { InstalledRunner } from './runner.ts';

const FOLDER = 'templates/container';
const PAGE = 'docs/operations/service.md';
/** Commands of the page that replace the process that is started here. */
const REPLACES = /^svc restart$/;
/** apt commands are only read, not run. */
const APT =
  /^apt-get update\s+&& apt-get install --yes --no-install-recommends [a-z -]+&& rm -rf \/var\/lib\/apt\/lists\/\*$/;
const MODE = 0o777;

const mustBe = (what: string, is: unknown, expected: unknown): void => {
  if (is !== expected)
    throw new Error(`${what} is ${JSON.stringify(is)}, and should be ${JSON.stringify(expected)}`);
};

/**
 * Plays the container recipe without a container: its folders are in one folder of the machine, and
 * npm has installed the package already. Skips what needs root or a network: FROM, apt-get, chown,
 * USER.
 */
export async function container(machine: Machine, version: string): Promise<string> {
  const recipe = parseInstructions(join(FOLDER, 'Dockerfile'));
  const compose = readCompose(join(FOLDER, 'compose.yml'));
  const root = join(machine.root, 'container');
  /** A path of the container as a path of this machine. */
  const inside = (text: string): string =>
    text.replaceAll(/\/(?:home\/node|repositories)\b/g, (path) => join(root, path));
  const home = findOnlyInstruction(recipe, 'WORKDIR');
  mkdirSync(inside(home), { recursive: true });
  mkdirSync(inside('/repositories'));
  const env = {
    ...machine.env,
    HOME: inside(home),
    ...environment(recipe, compose, inside),
  };
  const ran = await build(machine, recipe, { version, inside, env });
  const { grace, volume, port } = checkCompose(recipe, compose);
  mustBe('the mode of the volume', statSync(inside(volume)).mode & MODE, 0o700);

  const runner = new InstalledRunner(machine, inside(volume));
  const command: string[] = JSON.parse(findOnlyInstruction(recipe, 'CMD'));
  // The one deviation: on this machine port 3000 may be taken.
  await runner.start([...command, '--port', '0'], env);
  try {
    const shell = (line: string) => machine.run('sh', ['-c', inside(line)], inside(home), env);
    const [, health = ''] = /^.*\bCMD (.+)$/.exec(findOnlyInstruction(recipe, 'HEALTHCHECK')) ?? [];
    const healthy = await shell(health);
    mustBe(`the health check (${healthy.err})`, healthy.code, 0);
    const execs = listExecs(PAGE).filter((line) => !REPLACES.test(line));
    for (const line of execs) {
      const { code, out, err } = await shell(line);
      if (code !== 0) throw new Error(`${line} ended with ${code}:\n${out}${err}`);
    }
    await runner.stop(grace);
    const unhealthy = await shell(health);
    if (unhealthy.code === 0) throw new Error('the health check passes without a runner');
    return `${ran} of ${listInstructions(recipe, 'RUN').length} RUN, CMD on port ${port} (here another), health check, ${execs.length} commands of the page, 0 at SIGTERM; without apt-get, chown, USER`;
  } finally {
    await runner.stop(grace).catch(() => undefined);
  }
}

/** ENV of the recipe, and what compose takes from an environment without keys. */
function environment(
  recipe: readonly Instruction[],
  { services }: Compose,
  inside: (text: string) => string,
): Record<string, string> {
  const ofRecipe = listInstructions(recipe, 'ENV').map((line) => {
    const [, name = '', value = ''] = /^([A-Z_]+)=(\S+)$/.exec(line) ?? [];
    return [name, inside(value)] as const;
  });
  const ofCompose = Object.entries(services['runner']?.environment ?? {}).map(
    ([name, value]) => [name, value.replace(`\${${name}:-}`, '')] as const,
  );
  return Object.fromEntries([...ofRecipe, ...ofCompose]);
}

/** Runs what can be run of RUN; how many that were. */
async function build(
  machine: Machine,
  recipe: readonly Instruction[],
  parts: {
    version: string;
    inside(text: string): string;
    env: Record<string, string>;
  },
): Promise<number> {
  const { version, inside, env } = parts;
  let ran = 0;
  for (const line of listInstructions(recipe, 'RUN')) {
    if (line.startsWith('apt-get ')) {
      if (!APT.test(line)) throw new Error(`apt-get is not run, and is not as expected: ${line}`);
    } else if (line.startsWith('npm ')) {
      // The step install did it, with the tarball in place of the registry.
      mustBe('the package', line, `npm install --global @svc/runner@${version}`);
      ran += 1;
    } else {
      const withoutChown = line.replace(/ && chown node:node \S+/, '');
      const { code, err } = await machine.run(
        'sh',
        ['-c', inside(withoutChown)],
        inside('/home/node'),
        env,
      );
      if (code !== 0) throw new Error(`RUN ${line} ended with ${code}: ${err}`);
      ran += 1;
    }
  }
  return ran;
}

/** Throws where the two files do not belong together. */
function checkCompose(
  recipe: readonly Instruction[],
  { services, volumes }: Compose,
): { grace: number; volume: string; port: string } {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [, major] = /^node:(\d+)-/.exec(findOnlyInstruction(recipe, 'FROM')) ?? [];
  const [, oldest] = />=\s*(\d+)/.exec(engines.node) ?? [];
  if (Number(major) < Number(oldest))
    throw new Error(`FROM has Node ${major}, svc needs ${oldest}`);
  const runner = services['runner'];
  if (runner === undefined) throw new Error('compose has no service runner');
  const volume = findOnlyInstruction(recipe, 'VOLUME');
  mustBe('SVC_HOME', findOnlyInstruction(recipe, 'ENV'), `SVC_HOME=${volume}`);
  const [name, target] = runner.volumes[0]?.split(':') ?? [];
  mustBe('the volume of compose', target, volume);
  if (!Object.hasOwn(volumes, name ?? '')) throw new Error(`compose declares no volume ${name}`);
  mustBe('the folder of repositories', runner.volumes[1], './repositories:/repositories');
  const port = findOnlyInstruction(recipe, 'EXPOSE');
  mustBe('the port of compose', runner.ports.join(), `127.0.0.1:${port}:${port}`);
  mustBe('build', runner.build, '.');
  mustBe('init', runner.init, true);
  // A stop on purpose ends with 0.
  mustBe('restart', runner.restart, 'on-failure');
  mustBe('USER', findOnlyInstruction(recipe, 'USER'), 'node');
  return { grace: parseDuration(runner.stop_grace_period), volume, port };
}
