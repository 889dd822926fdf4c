import { SvcError } from '../../base/errors/errors.ts';
import type { SecretStream } from '../../base/secrets/secretStream.ts';
import type { AgentJob } from '../../contract/job/agentJob.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Blobs } from '../../jobs/workspace/blobs.ts';
import type { Job } from '../../contract/schema/job/job.ts';
import { assertContent } from '../../jobs/views/jobRows.ts';
import { collectRelatedArtefacts } from '../brief/collectRelatedArtefacts.ts';

interface ArtefactReadsDeps {
  rows: RowReader;
  blobs: Pick<Blobs, 'page'>;
  secretStream(): SecretStream;
}

/** Reads artefact texts that the agents of a job may see. */
export const createArtefactReader =
  ({ rows, blobs, secretStream }: ArtefactReadsDeps, job: () => Job): AgentJob['artefactText'] =>
  async (id, offset) => {
    const own = job();
    const readable = [
      ...own.artefacts,
      ...collectRelatedArtefacts(rows, own).flatMap(({ artefacts }) => artefacts),
    ];
    const artefact = readable.find((one) => one.id === id);
    if (!artefact)
      throw new SvcError(
        'not-found',
        `This job has no artefact ${id}; get_artifacts without an id lists them.`,
      );
    assertContent(artefact);
    const page = await blobs.page(artefact.sha256, offset, secretStream());
    if (page === null)
      throw new SvcError(
        'bad-argument',
        `Artefact ${id} is not text (${artefact.mime}, ${artefact.size} bytes), and only text can be read here.`,
      );
    return { artefact, ...page };
  };
