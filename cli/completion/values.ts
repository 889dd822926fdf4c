import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Env } from '../../src/config/env.ts';
import { BUILT_IN_PLUGINS } from '../../src/domain/builtInPlugins.ts';
import { connection } from '../connect/connection.ts';
import { printableLine } from '../render/printable.ts';

/** A word that fits, and what it is. */
export type Candidate = readonly [value: string, description: string];

/** Longest wait for the runner, ms: a person has pressed Tab. */
const ANSWER_MS = 400;
/** Most jobs that are offered. */
const MOST_JOBS = 100;

export interface Place {
  env: Env;
  homeDir: string;
  /** Folder of the home. */
  home: string;
}

/** The reply of the runner; null where it cannot be had in time. Never rejects. */
async function ask({ env, homeDir }: Place, path: string): Promise<unknown> {
  try {
    const { baseUrl, token } = await connection({ env, homeDir, url: undefined });
    if (!baseUrl.startsWith('http:')) return null;
    return await new Promise((resolve, reject) => {
      const call = request(`${baseUrl}${path}`, {
        agent: false,
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      call.once('error', reject);
      call.once('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', reject);
        response.once('end', () => resolve(JSON.parse(Buffer.concat(parts).toString('utf8'))));
      });
      call.end();
    });
  } catch {
    return null;
  }
}

const records = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map((each) => Object(each)) : [];

const text = (value: unknown): string => (typeof value === 'string' ? printableLine(value) : '');

async function jobs(place: Place): Promise<Candidate[]> {
  const found = records(await ask(place, `/jobs?limit=${MOST_JOBS}`));
  return found.map(({ id, status, description }) => [
    text(id),
    `${text(status)}: ${text(description)}`,
  ]);
}

async function workflows(place: Place): Promise<Record<string, unknown>[]> {
  return records(Object(await ask(place, '/workflows')).workflows);
}

const phases = async (place: Place, member: 'name' | 'status'): Promise<Candidate[]> =>
  (await workflows(place)).flatMap((workflow) =>
    records(workflow.phases).map((phase): Candidate => [text(phase[member]), text(workflow.label)]),
  );

/** Built-in ones, and those of the home: a runner is not needed for that. */
async function plugins({ home }: Place): Promise<Candidate[]> {
  const installed = await readdir(join(home, 'plugins')).catch(() => []);
  return [
    ...BUILT_IN_PLUGINS.map((id): Candidate => [id, 'built in']),
    ...installed.map((id): Candidate => [id, 'installed']),
  ];
}

/** What fits a flag or an argument, by its name. `job` is the job that is named already. */
const SOURCES: Readonly<
  Record<string, (place: Place, job: string | null) => Promise<readonly Candidate[]>>
> = {
  job: jobs,
  parent: jobs,
  plugin: plugins,
  repo: async (place) =>
    records(await ask(place, '/forges/local/repos')).map(({ slug, path }) => [
      text(slug),
      text(path),
    ]),
  phase: (place) => phases(place, 'name'),
  approve: async (place) => [['all', 'every checkpoint'], ...(await phases(place, 'name'))],
  status: (place) => phases(place, 'status'),
  for: async (place) => [
    ['ended', 'the job has ended'],
    ['parked', 'the job waits'],
    ...(await phases(place, 'status')),
  ],
  workflow: async (place) =>
    (await workflows(place)).map(({ workflowPath, label }) => [text(workflowPath), text(label)]),
  child: async (place, job) =>
    job === null
      ? []
      : records(Object(await ask(place, `/jobs/${encodeURIComponent(job)}/sub-runs`)).subRuns).map(
          ({ name, status }) => [text(name), text(status)],
        ),
  event: async () => [
    ['approve', 'approve what the checkpoint shows'],
    ['reject', 'send the phase back'],
  ],
};

/** Names whose values are files. */
const FILES = ['file', 'path', 'spec', 'folder', 'dir', 'script', 'config'];

/** What may follow; null = a file. */
export async function valuesOf(
  name: string,
  place: Place,
  job: string | null,
): Promise<readonly Candidate[] | null> {
  if (FILES.includes(name)) return null;
  return (await SOURCES[name]?.(place, job)) ?? [];
}
