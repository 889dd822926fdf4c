import Type from 'typebox';
import { type RouteBody, requireBody } from '../../contract/routes/route.ts';
import {
  ChangeRunnerBody,
  CHECKPOINT_PART_BYTES,
  CheckpointBody,
  CheckpointParts,
  ClaimBody,
  ClaimedHome,
  CreateHomeBody,
  DivergedBody,
  EntriesQuery,
  HeldBlobs,
  HeldBlobsQuery,
  HomeCheckpoint,
  HomeState,
  MAX_WHOLE_BLOB_BYTES,
  ReleaseBody,
  ReseedBody,
  TeamHome,
  TeamHomeList,
} from '../../contract/schema/cloud/home.ts';
import type { SomeCloudRoutes } from './cloudRoute.ts';

/** Bytes as they come; the handler reads them. */
const takeBytes = (maxBytes: number): RouteBody => ({
  schema: Type.Unknown(),
  required: false,
  maxBytes,
  form: 'bytes',
});

/** The log of a home: what a runner reads and writes of its own, and what its team sees of it. */
export const homeRoutes = {
  home: {
    who: 'runner',
    summary:
      "How far the log of the runner's home is. 404 = the control plane has none. 409 home-claimed with `holder` while another runner continues the home.",
    reply: HomeState,
    refusals: ['not-found', 'home-claimed'],
  },
  createHome: {
    who: 'runner',
    summary:
      'Begins the log of the home. At an entry above 0 it is `seeding` until the checkpoint at that entry is complete.',
    body: requireBody(CreateHomeBody),
    status: 201,
    reply: HomeState,
    refusals: ['conflict', 'home-claimed'],
  },
  leaveHome: {
    who: 'runner',
    summary:
      'Deletes the log: the home is on the machine of the runner alone. Its jobs stay there, and no other runner continues them.',
    refusals: ['not-found', 'home-claimed'],
  },
  homeEntries: {
    who: 'runner',
    summary:
      'Entries of the log, in order: for each one 4 bytes with the length of its head (big endian), the head as JSON with n, generation, hash and size, and its body. 404 for entries that are no longer kept: take the checkpoint.',
    query: EntriesQuery,
    mime: 'application/octet-stream',
    refusals: ['bad-argument', 'not-found', 'home-claimed'],
  },
  claimHome: {
    who: 'runner',
    summary:
      'Claims the home: a compare-and-set of generation and newest entry. 409 home-claimed where one of them has changed, or another runner has it (`holder`); lease-running where the runner that had it may still act (`until`); conflict where a newer version of svc wrote the log.',
    body: requireBody(ClaimBody),
    reply: ClaimedHome,
    refusals: ['not-found', 'home-claimed', 'lease-running', 'conflict'],
  },
  releaseHome: {
    who: 'runner',
    summary:
      'Gives the home up at its newest entry. Another runner may continue it at once; what its own writes from now on is refused.',
    body: requireBody(ReleaseBody),
    reply: HomeState,
    refusals: ['not-found', 'home-claimed'],
  },
  divergedHome: {
    who: 'runner',
    summary:
      'Notes that the state of the machine does not fit the log: no other runner continues the home until a person has decided which one counts.',
    body: requireBody(DivergedBody),
    refusals: ['not-found', 'forbidden'],
  },
  reseedHome: {
    who: 'runner',
    summary:
      'Begins the log again from the store of this runner, which must be uploaded as a checkpoint. What the control plane has of the home is given up: only for a person who has decided it.',
    body: requireBody(ReseedBody),
    reply: HomeState,
    refusals: ['not-found', 'home-claimed'],
  },
  checkpointParts: {
    who: 'runner',
    summary: 'The parts of a checkpoint that have been uploaded.',
    reply: CheckpointParts,
    refusals: ['not-found', 'home-claimed'],
  },
  putCheckpointPart: {
    who: 'runner',
    summary:
      'Uploads a part of a checkpoint. All but the last have 1 MiB. The header X-Svc-Sha256 holds its SHA-256.',
    body: takeBytes(CHECKPOINT_PART_BYTES),
    refusals: ['not-found', 'home-claimed', 'invalid', 'too-large', 'conflict'],
  },
  completeCheckpoint: {
    who: 'runner',
    summary:
      'Completes a checkpoint, after its parts: size, SHA-256 and the hash of the log there must be right. From then on it counts, in place of an earlier one at the same entry.',
    body: requireBody(CheckpointBody),
    reply: HomeCheckpoint,
    refusals: ['not-found', 'home-claimed', 'invalid', 'conflict'],
  },
  checkpoint: {
    who: 'runner',
    summary: 'The bytes of a complete checkpoint; a Range of them too.',
    mime: 'application/gzip',
    refusals: ['not-found', 'home-claimed', 'bad-argument'],
  },
  blobs: {
    who: 'runner',
    summary:
      'The artefacts of the home that have been there for a day, by their names. The runner deletes those that nothing in its state names.',
    query: HeldBlobsQuery,
    reply: HeldBlobs,
    refusals: ['home-claimed'],
  },
  blob: {
    who: 'runner',
    summary: 'An artefact of the home.',
    mime: 'application/octet-stream',
    refusals: ['not-found', 'home-claimed'],
  },
  putBlob: {
    who: 'runner',
    summary:
      'Uploads an artefact, or a file of archived logs, of at most 1 GiB. It must have this SHA-256. It comes in one piece of at most 25 MiB, or in parts of 1 MiB, in their order, each with a header like `Content-Range: bytes 0-1048575/3000000`; it counts from the last part on. A part may be sent again.',
    body: takeBytes(MAX_WHOLE_BLOB_BYTES),
    refusals: ['bad-argument', 'not-found', 'home-claimed', 'invalid', 'too-large'],
  },
  deleteBlob: {
    who: 'runner',
    summary: 'Deletes an artefact of the home. One that does not exist is no error.',
    refusals: ['home-claimed'],
  },
  teamHomes: {
    who: 'viewer',
    summary:
      'The homes of the team whose log the control plane has: which runner continues whose, why none does, and what would be lost.',
    reply: TeamHomeList,
    refusals: [],
  },
  changeRunner: {
    who: 'member',
    summary: 'Changes what happens with the home of a runner that is lost: its owner, or an admin.',
    target: ['policy'],
    body: requireBody(ChangeRunnerBody),
    reply: TeamHome,
    refusals: ['forbidden', 'not-found'],
  },
  releaseRunner: {
    who: 'member',
    summary:
      'Lets another runner continue the home of one that is away, although its jobs are in a session: its owner, or an admin. What would be lost is in the list of homes.',
    reply: TeamHome,
    refusals: ['forbidden', 'not-found', 'not-possible-now'],
  },
} satisfies SomeCloudRoutes;
