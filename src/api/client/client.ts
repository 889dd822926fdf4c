import { ADDRESSES } from '../../contract/routes/addresses.ts';
import type { BackupBody } from '../../contract/schema/runner/backup.ts';
import type { WhatIfBody } from '../../contract/schema/api/bodies.ts';
import type { ConfigPatch, ConfigReply } from '../../contract/schema/runner/config.ts';
import type { CostsQuery } from '../../contract/schema/policy/costs.ts';
import type {
  FileQuery,
  IntelligenceFile,
  WrittenFile,
} from '../../contract/schema/workflow/intelligence.ts';
import { createRouteMethods, createSend } from './routeMethods.ts';
import { createTransport, type RequestOptions, type TransportOptions } from './transport.ts';

export type { RequestOptions };

const readEtag = (response: Response): string => response.headers.get('ETag') ?? '';

const readTaggedConfig = async (
  response: Response,
): Promise<{ etag: string; reply: ConfigReply }> => ({
  etag: readEtag(response),
  reply: await response.json(),
});

/**
 * A client of the runner's HTTP API, for browsers and Node; one method per route, named like its
 * operation: it takes the values in the address, then body or query, then options. Written out here are
 * those whose reply is more, or less, than its body.
 *
 * Every method throws ClientError { status, code, problem } when the runner refuses, SvcError
 * `unreachable` when none answers, and the signal's reason where one was given and aborted.
 */
export function createClient(options: TransportOptions) {
  const transport = createTransport(options);
  const send = createSend(transport);
  const methods = createRouteMethods(transport);

  return {
    ...methods,
    baseUrl: transport.baseUrl,
    workflows: async () => (await methods.workflows()).workflows,
    machines: async () => (await methods.machines()).machines,
    async backup(body: BackupBody = {}, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
      const response = await send('backup', body, signal ? { signal } : {});
      return response.body ?? new ReadableStream();
    },

    config: async () => readTaggedConfig(await send('config')),
    /**
     * `etag`: the version that `patch`, a merge patch, applies to; omitted = any version.
     */
    updateConfig: async (patch: ConfigPatch, etag?: string) =>
      readTaggedConfig(
        await send('updateConfig', patch, etag === undefined ? {} : { ifMatch: etag }),
      ),

    async intelligenceFile(query: FileQuery): Promise<{ etag: string; file: IntelligenceFile }> {
      const response = await send('intelligenceFile', query);
      return { etag: readEtag(response), file: await response.json() };
    },
    /**
     * `etag`: the version to replace; null = the file is new. Returns the new version.
     */
    async writeIntelligenceFile(
      path: string,
      text: string,
      etag: string | null,
    ): Promise<WrittenFile & { etag: string }> {
      const [method, address] = ADDRESSES.writeIntelligenceFile;
      const response = await transport.open(method, address, {
        query: { path },
        body: { text },
        ...(etag === null ? {} : { ifMatch: etag }),
      });
      const writtenFile: WrittenFile = await response.json();
      return { ...writtenFile, etag: readEtag(response) };
    },
    removeIntelligenceFile: (path: string, etag: string) =>
      methods.removeIntelligenceFile({ path }, { ifMatch: etag }),

    artefact: async (id: string, artefactId: string) =>
      (await send('artefact', id, artefactId)).text(),
    artefactBytes: methods.artefact,
    /** `head`: the commit that the changes end at. */
    async jobPullRequestDiff(id: string, prId: string): Promise<{ head: string; text: string }> {
      const response = await send('jobPullRequestDiff', id, prId);
      return { head: response.headers.get('X-Head-Commit') ?? '', text: await response.text() };
    },
    whatIf: (id: string, event: WhatIfBody['event'] & { [member: string]: unknown }) =>
      methods.whatIf(id, { event }),
    costsCsv: async (query: CostsQuery = {}): Promise<string> =>
      (await send('costs', query, { accept: 'text/csv' })).text(),
  };
}

export type Client = ReturnType<typeof createClient>;
