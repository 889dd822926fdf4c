import { requireBody } from '../../contract/routes/route.ts';
import {
  FileHistory,
  FileQuery,
  FileVersionText,
  HistoryQuery,
  IntelligenceFile,
  LayerList,
  LayersQuery,
  MergedFile,
  MergedQuery,
  TenantFileQuery,
  VersionQuery,
  WriteFileBody,
  WrittenFile,
} from '../../contract/schema/workflow/intelligence.ts';
import { ProposeFileBody } from '../../contract/schema/cloud/teamOverlay.ts';
import { Proposal } from '../../contract/schema/workflow/proposal.ts';
import type { SomeCloudRoutes } from './cloudRoute.ts';

/**
 * The files of a team's overlay, under the addresses that a runner has for those of its own layers: the page
 * *Workflows* edits both.
 */
export const authoringRoutes = {
  teamLayers: {
    who: 'viewer',
    summary:
      "The base layer of the control plane and the newest version of the team's overlay, with their files. There is no repository's layer here: `repo` is refused.",
    query: LayersQuery,
    reply: LayerList,
    refusals: ['bad-argument'],
  },
  teamLayerFile: {
    who: 'viewer',
    summary:
      'One file of a layer; by default, of the layer whose file is in effect. ETag is its version.',
    query: FileQuery,
    reply: IntelligenceFile,
    refusals: ['bad-argument', 'not-found'],
  },
  teamMergedFile: {
    who: 'viewer',
    summary: 'One file as agents see it, with the layer that each line comes from.',
    query: MergedQuery,
    reply: MergedFile,
    refusals: ['bad-argument', 'not-found'],
  },
  teamFileHistory: {
    who: 'viewer',
    summary:
      'The versions of the overlay that changed a file, newest first, and who made each: at most 50, among the newest 500 versions.',
    query: HistoryQuery,
    reply: FileHistory,
    refusals: ['bad-argument'],
  },
  teamFileVersion: {
    who: 'viewer',
    summary:
      'The text of a file in a version of the overlay, whose number is `n`; writing it again restores it.',
    query: VersionQuery,
    reply: FileVersionText,
    refusals: ['bad-argument', 'not-found'],
  },
  writeTeamFile: {
    who: 'admin',
    summary:
      'Makes the next version of the overlay with this Markdown file, replacing the version of the file in If-Match. The overlay is linted as a whole; one with new errors is refused.',
    query: TenantFileQuery,
    target: ['path'],
    body: requireBody(WriteFileBody),
    reply: WrittenFile,
    refusals: [
      'bad-argument',
      'precondition-required',
      'precondition-failed',
      'workflow-invalid',
      'too-large',
      'not-possible-now',
    ],
  },
  removeTeamFile: {
    who: 'admin',
    summary:
      'Makes the next version of the overlay without this Markdown file, if it still has the version in If-Match. The overlay is linted as a whole; one with new errors is refused.',
    query: TenantFileQuery,
    target: ['path'],
    refusals: [
      'bad-argument',
      'not-found',
      'precondition-required',
      'precondition-failed',
      'workflow-invalid',
      'not-possible-now',
    ],
  },
  proposeTeamFile: {
    who: 'member',
    summary:
      'Proposes a new text of a file of the overlay, or its removal, by the rules for a proposal of an agent: it counts once it is approved, and someone else applies it. An undecided one of the same person for the same file is superseded.',
    query: TenantFileQuery,
    target: ['path'],
    body: requireBody(ProposeFileBody),
    reply: Proposal,
    status: 201,
    refusals: [
      'bad-argument',
      'not-found',
      'precondition-required',
      'precondition-failed',
      'workflow-invalid',
      'too-large',
      'not-possible-now',
    ],
  },
} satisfies SomeCloudRoutes;
