import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Env } from '../../src/host/config/home/env.ts';
import { BUILT_IN_PLUGINS } from '../../src/base/settings/builtInPlugins.ts';
import { resolveConnection } from '../remote/resolveConnection.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

export type Candidate = readonly [value: string, description: string];

/** Longest wait for the runner, ms: a person has pressed Tab. */
const ANSWER_MS = 400;
const MOST_JOBS = 100;

export interface CompletionHome {
  env: Env;
  homeDir: string;
  home: string;
}

/** The reply of the runner; null where it cannot be had in time. Never rejects. */
async function askRunnerInTime({ env, homeDir }: CompletionHome, path: string): Promise<unknown> {
  try {
    const { baseUrl, token } = await resolveConnection({ env, homeDir, url: undefined });
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

const toRecordList = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map((each) => Object(each)) : [];

const toPrintableText = (value: unknown): string =>
  typeof value === 'string' ? toPrintableLine(value) : '';

async function listJobCandidates(place: CompletionHome): Promise<Candidate[]> {
  const records = toRecordList(await askRunnerInTime(place, `/jobs?limit=${MOST_JOBS}`));
  return records.map(({ id, status, description }) => [
    toPrintableText(id),
    `${toPrintableText(status)}: ${toPrintableText(description)}`,
  ]);
}

async function fetchWorkflowRecords(place: CompletionHome): Promise<Record<string, unknown>[]> {
  return toRecordList(Object(await askRunnerInTime(place, '/workflows')).workflows);
}

const listPhaseCandidates = async (
  place: CompletionHome,
  member: 'name' | 'status',
): Promise<Candidate[]> =>
  (await fetchWorkflowRecords(place)).flatMap((workflow) =>
    toRecordList(workflow.phases).map(
      (phase): Candidate => [toPrintableText(phase[member]), toPrintableText(workflow.label)],
    ),
  );

async function listPluginCandidates({ home }: CompletionHome): Promise<Candidate[]> {
  const pluginIds = await readdir(join(home, 'plugins')).catch(() => []);
  return [
    ...BUILT_IN_PLUGINS.map((id): Candidate => [id, 'built in']),
    ...pluginIds.map((id): Candidate => [id, 'installed']),
  ];
}

/** Candidates for a flag or an argument, by its name. `job`: the job that was already named. */
const SOURCES: Readonly<
  Record<string, (place: CompletionHome, job: string | null) => Promise<readonly Candidate[]>>
> = {
  job: listJobCandidates,
  parent: listJobCandidates,
  plugin: listPluginCandidates,
  repo: async (place) =>
    toRecordList(await askRunnerInTime(place, '/forges/local/repos')).map(({ slug, path }) => [
      toPrintableText(slug),
      toPrintableText(path),
    ]),
  phase: (place) => listPhaseCandidates(place, 'name'),
  approve: async (place) => [
    ['all', 'every checkpoint'],
    ...(await listPhaseCandidates(place, 'name')),
  ],
  status: (place) => listPhaseCandidates(place, 'status'),
  for: async (place) => [
    ['ended', 'the job has ended'],
    ['parked', 'the job waits'],
    ...(await listPhaseCandidates(place, 'status')),
  ],
  workflow: async (place) =>
    (await fetchWorkflowRecords(place)).map(({ workflowPath, label }) => [
      toPrintableText(workflowPath),
      toPrintableText(label),
    ]),
  child: async (place, job) =>
    job === null
      ? []
      : toRecordList(
          Object(await askRunnerInTime(place, `/jobs/${encodeURIComponent(job)}/sub-runs`)).subRuns,
        ).map(({ name, status }) => [toPrintableText(name), toPrintableText(status)]),
  event: async () => [
    ['approve', 'approve what the checkpoint shows'],
    ['reject', 'send the phase back'],
  ],
};

/** Names whose values are files. */
const FILES = ['file', 'path', 'spec', 'folder', 'dir', 'script', 'config'];

/** What may follow; null = a file. */
export async function listValueCandidates(
  name: string,
  place: CompletionHome,
  job: string | null,
): Promise<readonly Candidate[] | null> {
  if (FILES.includes(name)) return null;
  return (await SOURCES[name]?.(place, job)) ?? [];
}
