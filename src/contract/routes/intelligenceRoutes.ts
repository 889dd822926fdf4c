import { requireBody, type SomeRoutes } from './route.ts';
import {
  FileHistory,
  FileQuery,
  FileVersionText,
  HistoryQuery,
  IntelligenceFile,
  LayerList,
  LayersQuery,
  LintBody,
  LintReply,
  MergedFile,
  MergedQuery,
  PreflightBody,
  TenantFileQuery,
  VersionQuery,
  WriteFileBody,
  WrittenFile,
} from '../schema/workflow/intelligence.ts';
import { SimulateBody, SimulationReply } from '../schema/workflow/simulation.ts';
import { PreflightReply } from '../schema/workflow/proposal.ts';

export const intelligenceRoutes = {
  lintWorkflow: {
    access: 'compute',
    // A chart of the team's dashboard is drawn from it.
    team: 'viewer',
    summary:
      'Lints a text as the file at this path and returns the findings and its chart. Nothing is written.',
    body: requireBody(LintBody),
    reply: LintReply,
    refusals: ['bad-argument', 'forbidden'],
  },
  simulateWorkflow: {
    access: 'compute',
    team: 'member',
    summary:
      'Plays a job of a workflow with a simulated clock and without agents, as a script says. Nothing is written.',
    body: requireBody(SimulateBody),
    reply: SimulationReply,
    refusals: ['bad-argument', 'forbidden', 'workflow-invalid'],
  },
  intelligenceLayers: {
    access: 'read',
    team: null,
    summary:
      "The layers that agents get their instructions from (base, tenant, and with ?repo= a repository's), with their files.",
    query: LayersQuery,
    reply: LayerList,
    refusals: [],
  },
  intelligenceFile: {
    access: 'read',
    team: null,
    summary:
      'One file of a layer; by default, of the layer whose file is in effect. ETag is its version.',
    query: FileQuery,
    reply: IntelligenceFile,
    refusals: ['bad-argument', 'not-found'],
  },
  mergedFile: {
    access: 'read',
    team: null,
    summary: 'One file as agents see it, with the layer that each line comes from.',
    query: MergedQuery,
    reply: MergedFile,
    refusals: ['bad-argument', 'not-found'],
  },
  preflight: {
    access: 'compute',
    team: null,
    summary:
      'What would happen if files of any kind were written together: what each is, findings, what changes in meaning, and warnings. Nothing is written.',
    body: requireBody(PreflightBody),
    reply: PreflightReply,
    refusals: ['bad-argument'],
  },
  intelligenceHistory: {
    access: 'read',
    team: null,
    summary: 'The kept versions of a file of the tenant layer, newest first, and who made each.',
    query: HistoryQuery,
    reply: FileHistory,
    refusals: [],
  },
  intelligenceVersion: {
    access: 'read',
    team: null,
    summary: 'The text of a kept version of a file; writing it again restores it.',
    query: VersionQuery,
    reply: FileVersionText,
    refusals: ['not-found'],
  },
  writeIntelligenceFile: {
    access: 'write',
    team: null,
    summary:
      'Writes a markdown file of the tenant layer, replacing the version in If-Match. A file with errors is refused.',
    query: TenantFileQuery,
    body: requireBody(WriteFileBody),
    reply: WrittenFile,
    refusals: [
      ...([
        'bad-argument',
        'forbidden',
        'not-possible-now',
        'precondition-required',
        'precondition-failed',
      ] as const),
      ...(['workflow-invalid', 'store-failed'] as const),
    ],
  },
  removeIntelligenceFile: {
    access: 'write',
    team: null,
    summary:
      'Removes a markdown file from the tenant layer, if it still has the version in If-Match.',
    query: TenantFileQuery,
    refusals: [
      ...([
        'bad-argument',
        'forbidden',
        'not-found',
        'not-possible-now',
        'precondition-required',
        'precondition-failed',
      ] as const),
    ],
  },
} satisfies SomeRoutes;
