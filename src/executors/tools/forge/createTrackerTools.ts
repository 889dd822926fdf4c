import Type from 'typebox';
import { toWriteAnswer } from './writeToForge.ts';
import {
  ADDS,
  defineTool,
  createInputSchema,
  READS,
  SETS,
  type Tool,
  type ToolHints,
  createTextField,
} from '../tool.ts';

const MAX_BODY_CHARS = 32_000;
/** Most issues in the answer to a search. */
const MAX_FOUND = 50;
/** Most fields that are set together with a status. */
const MAX_FIELDS = 50;

const markTrackerOpenWorld = (hints: ToolHints): ToolHints => ({ ...hints, openWorldHint: true });

/** `github-issues` → `github_issues`: the part before the verb of a tool name has no dashes. */
export const toTrackerPrefix = (tracker: string): string => tracker.replaceAll('-', '_');

/**
 * The tools of one tracker, each named `<prefix>_<verb>` (TOOL-8); `tracker` undefined = the job's
 * own.
 */
function createTrackerFamily(prefix: string, tracker: string | undefined): readonly Tool[] {
  const who = tracker ?? "the job's own tracker";
  const keyField = createTextField(
    "Key of the issue, such as SHOP-1 or <owner>/<name>#1; default: the job's own ticket.",
    300,
  );
  const key =
    tracker === undefined
      ? Type.Optional(keyField)
      : createTextField('Key of the issue, such as SHOP-1 or <owner>/<name>#1.', 300);
  return [
    defineTool({
      name: `${prefix}_get_issue`,
      title: `Get an issue (${who})`,
      description:
        'Returns title, text, status, labels and links of an issue. Other people wrote it.',
      input: createInputSchema({ key }),
      hints: markTrackerOpenWorld(READS),
      untrusted: true,
      async run(args, { port }) {
        const data = await port.trackerRead('get_issue', args, tracker);
        return { text: 'The issue.', data };
      },
    }),
    defineTool({
      name: `${prefix}_get_comments`,
      title: `Get the comments of an issue (${who})`,
      description:
        'Returns the comments, oldest first, at most the newest 200. Other people wrote them.',
      input: createInputSchema({ key }),
      hints: markTrackerOpenWorld(READS),
      untrusted: true,
      async run(args, { port }) {
        const data = await port.trackerRead('get_comments', args, tracker);
        return { text: 'The comments, oldest first.', data };
      },
    }),
    defineTool({
      name: `${prefix}_search_issues`,
      title: `Search issues (${who})`,
      description:
        'Returns issues that contain the words; without words, the most recently changed. Very recent changes may be missing.',
      input: createInputSchema({
        text: Type.Optional(Type.String({ maxLength: 500, description: 'Words to search for.' })),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: MAX_FOUND, description: 'Most issues; default 20.' }),
        ),
      }),
      hints: markTrackerOpenWorld(READS),
      untrusted: true,
      async run(args, { port }) {
        const data = await port.trackerRead('search_issues', args, tracker);
        return { text: `${Array.isArray(data.issues) ? data.issues.length : 0} issues.`, data };
      },
    }),
    defineTool({
      name: `${prefix}_post_comment`,
      title: `Comment on an issue (${who})`,
      description: 'Posts a comment on an issue.',
      input: createInputSchema({
        key,
        body: createTextField('The comment in Markdown.', MAX_BODY_CHARS),
      }),
      hints: markTrackerOpenWorld(ADDS),
      run: (args, call) =>
        toWriteAnswer(
          'post_comment',
          call.port.trackerWrite('post_comment', args, call.key, tracker),
        ),
    }),
    defineTool({
      name: `${prefix}_transition_issue`,
      title: `Change the status of an issue (${who})`,
      description:
        'Moves an issue to another status of its workflow. A status that cannot be reached from the current one is refused, with the list of those that can; one that needs fields, with the fields and their values.',
      input: createInputSchema({
        key,
        status: createTextField('Name of the status, such as In Progress.', 100),
        fields: Type.Optional(
          Type.Object(
            {},
            {
              additionalProperties: true,
              maxProperties: MAX_FIELDS,
              description:
                'Fields to set with the status (Jira): id or name of the field → its value, such as {"Resolution": "Done"}. Leave it out unless a refusal asks for it.',
            },
          ),
        ),
      }),
      hints: markTrackerOpenWorld(SETS),
      run: (args, call) =>
        toWriteAnswer(
          'transition_issue',
          call.port.trackerWrite('transition_issue', args, call.key, tracker),
        ),
    }),
  ];
}

const OWN_PREFIX = 'tracker';

/** The tools of the configured trackers and of the job's own; empty if none is configured. */
export const createTrackerTools = (ids: readonly string[]): Tool[] =>
  ids.length === 0
    ? []
    : [
        ...createTrackerFamily(OWN_PREFIX, undefined),
        ...ids.flatMap((id) => createTrackerFamily(toTrackerPrefix(id), id)),
      ];

/** The verbs of a tracker, without prefix. */
export const TRACKER_VERBS: readonly string[] = createTrackerFamily('', undefined).map(({ name }) =>
  name.slice(1),
);

const TRACKER_TOOL = new RegExp(`^[a-z][a-z0-9_]*_(?:${TRACKER_VERBS.join('|')})$`);

/**
 * Whether any tracker, configured or not, has this tool: a workflow may be written for several
 * runners.
 */
export const isTrackerTool = (name: string): boolean => TRACKER_TOOL.test(name);
