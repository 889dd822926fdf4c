import Type from 'typebox';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Artefact } from '../../../contract/schema/job/job.ts';
import {
  ADDS,
  defineTool,
  createInputSchema,
  READS,
  type Tool,
  type ToolAnswer,
  type ToolCall,
  ToolRefusal,
  createTextField,
} from '../tool.ts';

/** Most bytes of an artefact's text, as UTF-8: 1 MiB. */
const MAX_ARTEFACT_BYTES = 1_048_576;

const toArtefactMime = (kind: string): string => {
  if (kind.endsWith('-md')) return 'text/markdown';
  return kind === 'pr-link' ? 'text/uri-list' : 'text/plain';
};

const formatArtefactLine = ({ id, kind, title, size, phase }: Artefact): string =>
  `${id} [${kind}] ${title} (${size} bytes, phase ${phase})`;

const postArtifact = defineTool({
  name: 'post_artifact',
  title: 'Post an artefact',
  description:
    'Stores a document with the job for people to read. kind plan-md is the plan that a person approves at the checkpoint of this phase (the newest counts), ' +
    'report-md the closing report, pr-link the URL of a pull request; other kinds are free. Give either content or path. A copy appears in the folder of the job: plan/, reports/, test-outputs/ or artifacts/ by kind, named after the title.',
  input: createInputSchema({
    kind: Type.String({
      pattern: '^[a-z0-9-]{1,64}$',
      description: 'plan-md, report-md, pr-link, or a kind of your own.',
    }),
    title: createTextField('What it is, in one line.', 200),
    content: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_ARTEFACT_BYTES,
        description: 'The whole text, at most 1 MiB; for more give path.',
      }),
    ),
    path: Type.Optional(
      createTextField(
        "Instead of content: a regular file in the checkout (relative to it) or in the job's folder, at most 25 MiB; no links.",
        1_000,
      ),
    ),
    mime: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9.+-]{1,64}/[a-z0-9.+-]{1,64}$',
        description:
          'Media type; default text/markdown for kinds that end in -md, text/uri-list for pr-link, else text/plain.',
      }),
    ),
  }),
  hints: ADDS,
  async run({ kind, title, content, path, mime: mimeType }, call) {
    if ((content === undefined) === (path === undefined)) {
      throw new ToolRefusal(
        'post_artifact: nothing was done. Give either content or path, and not both.',
      );
    }
    const mime = mimeType ?? toArtefactMime(kind);
    const id = sha256(`${call.port.jobId}/${call.key}`).slice(0, 16);
    const blob =
      path === undefined
        ? await storeArtefactText(content ?? '', call)
        : await call.port.storeFile(path);
    const { duplicate } = await call.send({
      type: 'tool.post_artifact',
      id,
      kind,
      title,
      mime,
      ...blob,
    });
    const copy = await call.port.copyArtefact({ kind, title, mime, sha256: blob.sha256 });
    const where = copy === null ? '' : ` A copy is ${copy} in the job's folder.`;
    return {
      text: `Artefact ${id} stored.${where}`,
      data: { id, ...blob, duplicate, ...(copy === null ? {} : { copy }) },
    };
  },
});

async function storeArtefactText(
  content: string,
  { port }: ToolCall,
): Promise<{ sha256: string; size: number }> {
  const bytes = new TextEncoder().encode(content);
  if (bytes.length > MAX_ARTEFACT_BYTES) {
    throw new ToolRefusal(
      `post_artifact: nothing was done. The content is ${bytes.length} bytes, and ${MAX_ARTEFACT_BYTES} are allowed; shorten or split it.`,
    );
  }
  return port.storeBytes(bytes);
}

const getArtifacts = defineTool({
  name: 'get_artifacts',
  title: 'Get the artefacts',
  description:
    'Lists the artefacts of this job, or returns the text of one. Without an id: all of them, oldest first: id, kind, title, size, phase. ' +
    'With an id: the text of that artefact, at most 32 KiB; while nextOffset is not null there is more: call again with it as offset. ' +
    'A sub-run can also read those of its campaign and of the sub-runs that it depends on, a campaign those of its sub-runs.',
  input: createInputSchema({
    id: Type.Optional(createTextField('Id of the artefact to read.', 64)),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Where to begin, in bytes: nextOffset of the answer before; default 0.',
      }),
    ),
  }),
  hints: READS,
  async run({ id, offset }, { port }) {
    if (id !== undefined) return readArtefactContent(port, id, offset ?? 0);
    if (offset !== undefined)
      throw new ToolRefusal('get_artifacts: offset is for reading one artefact: give its id too.');
    const artefacts = port.artefacts();
    return {
      text:
        artefacts.length > 0
          ? artefacts.map(formatArtefactLine).join('\n')
          : 'There are no artefacts.',
      data: { artefacts },
    };
  },
});

async function readArtefactContent(
  port: ToolCall['port'],
  id: string,
  offset: number,
): Promise<ToolAnswer> {
  const { artefact, text: content, nextOffset } = await port.artefactText(id, offset);
  const { kind, title, mime, size, phase } = artefact;
  const more =
    nextOffset === null ? 'That is all.' : `There is more: call again with offset ${nextOffset}.`;
  return {
    text: `Artefact ${id} from byte ${offset} on. ${more}`,
    data: { id, kind, title, mime, size, phase, offset, text: content, nextOffset },
    untrusted: true,
  };
}

export const artefactTools: readonly Tool[] = [postArtifact, getArtifacts];
