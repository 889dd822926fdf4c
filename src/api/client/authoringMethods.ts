import type {
  FileQuery,
  FileVersion,
  FileVersionText,
  MergedFile,
  MergedQuery,
  PreflightBody,
  VersionQuery,
  IntelligenceFile,
  LayerList,
  LayersQuery,
  LintBody,
  LintReply,
  WrittenFile,
} from '../../contract/schema/workflow/intelligence.ts';
import type { PreflightReply } from '../../contract/schema/workflow/proposal.ts';
import type { SimulateBody, SimulationReply } from '../../contract/schema/workflow/simulation.ts';
import type { createTransport } from './transport.ts';

/** What the client asks about workflows and agents, for those who write them. */
export function createAuthoringMethods({
  json,
  open,
}: Pick<ReturnType<typeof createTransport>, 'json' | 'open'>) {
  return {
    simulateWorkflow: (body: SimulateBody, signal?: AbortSignal) =>
      json<SimulationReply>('POST', '/workflows/simulate', {
        body,
        ...(signal ? { signal } : {}),
      }),
    lintWorkflow: (body: LintBody, signal?: AbortSignal) =>
      json<LintReply>('POST', '/workflows/lint', { body, ...(signal ? { signal } : {}) }),
    intelligenceLayers: (query: LayersQuery = {}) =>
      json<LayerList>('GET', '/intelligence/layers', { query }),
    mergedFile: (query: MergedQuery) => json<MergedFile>('GET', '/intelligence/merged', { query }),
    preflight: (body: PreflightBody) =>
      json<PreflightReply>('POST', '/intelligence/preflight', { body }),
    intelligenceHistory: (path: string) =>
      json<FileVersion[]>('GET', '/intelligence/history', { query: { path } }),
    intelligenceVersion: (query: VersionQuery) =>
      json<FileVersionText>('GET', '/intelligence/version', { query }),
    /** The file and its version. */
    async intelligenceFile(query: FileQuery): Promise<{ etag: string; file: IntelligenceFile }> {
      const response = await open('GET', '/intelligence/file', { query });
      return { etag: response.headers.get('ETag') ?? '', file: await response.json() };
    },
    /**
     * `etag`: the version to replace; null = the file is new. Returns the new version.
     */
    async writeIntelligenceFile(
      path: string,
      text: string,
      etag: string | null,
    ): Promise<WrittenFile & { etag: string }> {
      const body = { text };
      const response = await open('PUT', '/intelligence/file', {
        query: { path },
        body,
        ...(etag === null ? {} : { ifMatch: etag }),
      });
      const written: WrittenFile = await response.json();
      return { ...written, etag: response.headers.get('ETag') ?? '' };
    },
    async removeIntelligenceFile(path: string, etag: string): Promise<void> {
      await open('DELETE', '/intelligence/file', { query: { path }, ifMatch: etag });
    },
  };
}
