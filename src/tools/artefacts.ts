import Type from 'typebox';
import { sha256 } from '../lib/ids.ts';
import type { Artefact } from '../schema/job.ts';
import { ADDS, defineTool, fields, READS, type Tool, ToolRefusal, text } from './tool.ts';

/** Most bytes of one artefact, as UTF-8. */
const MAX_ARTEFACT_BYTES = 1_048_576;

const mimeOf = (kind: string): string => {
  if (kind.endsWith('-md')) return 'text/markdown';
  return kind === 'pr-link' ? 'text/uri-list' : 'text/plain';
};

const line = ({ id, kind, title, size, phase }: Artefact): string => `${id} [${kind}] ${title} (${size} bytes, phase ${phase})`;

const postArtifact = defineTool({
  name: 'post_artifact',
  title: 'Post an artefact',
  description:
    'Stores a document with the job for people to read. kind plan-md is the plan that a person approves at the checkpoint of this phase (the newest counts), ' +
    'report-md the closing report, pr-link the URL of a pull request; other kinds are free.',
  input: fields({
    kind: Type.String({ pattern: '^[a-z0-9-]{1,64}$', description: 'plan-md, report-md, pr-link, or a kind of your own.' }),
    title: text('What it is, in one line.', 200),
    content: Type.String({ minLength: 1, maxLength: MAX_ARTEFACT_BYTES, description: 'The whole text, at most 1 MiB.' }),
    mime: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9.+-]{1,64}/[a-z0-9.+-]{1,64}$',
        description: 'Media type; default text/markdown for kinds that end in -md, text/uri-list for pr-link, else text/plain.',
      }),
    ),
  }),
  hints: ADDS,
  async run({ kind, title, content, mime }, call) {
    const bytes = new TextEncoder().encode(content);
    if (bytes.length > MAX_ARTEFACT_BYTES) {
      throw new ToolRefusal(
        `post_artifact: nothing was done. The content is ${bytes.length} bytes, and ${MAX_ARTEFACT_BYTES} are allowed; shorten or split it.`,
      );
    }
    const id = sha256(`${call.port.jobId}/${call.key}`).slice(0, 16);
    const stored = await call.port.storeBytes(bytes);
    const { duplicate } = await call.send({ type: 'tool.post_artifact', id, kind, title, mime: mime ?? mimeOf(kind), ...stored });
    return { text: `Artefact ${id} stored.`, data: { id, ...stored, duplicate } };
  },
});

const getArtifacts = defineTool({
  name: 'get_artifacts',
  title: 'Get the artefacts',
  description: 'Answers the artefacts of this job, oldest first: id, kind, title, size, phase. It does not answer their content.',
  input: fields({}),
  hints: READS,
  async run(_args, { port }) {
    const artefacts = port.artefacts();
    return { text: artefacts.length > 0 ? artefacts.map(line).join('\n') : 'There are no artefacts.', data: { artefacts } };
  },
});

/** TOOL-2. */
export const artefactTools: readonly Tool[] = [postArtifact, getArtifacts];
