import { formatCount } from '../../src/base/text/formatCount.ts';
import { createEffect, Index, on, onMount, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import type { Citation } from '../../src/contract/schema/planning/evidence.ts';
import type { PinnedLines } from '../../src/contract/schema/planning/intakeReplies.ts';
import { requestHighlight } from '../jobs/changes/code/highlighter.ts';
import { detectLanguage } from '../jobs/changes/code/languages.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { explainProblem, isNotFound } from '../shell/problems/explainProblem.ts';
import { createColouredNodes } from './answer/decorateAnswer.ts';
import { VERDICTS } from './answer/citationVerdicts.ts';
import { usePlan } from './planContext.ts';

interface CitationPlace {
  path: string;
  line: number | null;
  toLine: number | null;
}

const NUMBERED = /^(.+?)(?::(\d{1,7})(?:-(\d{1,7}))?|#L(\d{1,7})(?:-L?(\d{1,7}))?)$/;

const parseCitationLine = (digits: string | undefined): number | null =>
  digits === undefined ? null : Number(digits);

/** Where a citation leads, by its text alone. */
export function parseCitationPlace(ref: string): CitationPlace {
  const rest = ref.replace(/^NEW:/, '');
  const [, path, line, to, hashLine, hashTo] = NUMBERED.exec(rest) ?? [];
  return {
    path: path ?? rest,
    line: parseCitationLine(line ?? hashLine),
    toLine: parseCitationLine(to ?? hashTo),
  };
}

/** Lines around a cited one that are read if the file is too long to be read completely. */
const AROUND = 300;
/** Longest file that is coloured, characters. */
const MAX_COLOURED = 200_000;

interface PinnedFileProps {
  citation: Citation | undefined;
  citedRef: string;
  /** Which citation of how many it is; null = not cited by the findings. */
  at: { n: number; of: number } | null;
  move: (by: 1 | -1) => void;
  close: () => void;
}

/** The file of a citation as the conversation has seen it, with the cited lines in sight. */
export function PinnedFile(props: PinnedFileProps) {
  const { client } = useDashboard();
  const { conversation } = usePlan();
  let pane: HTMLElement | undefined;
  const place = () => props.citation ?? parseCitationPlace(props.citedRef);
  const isNew = () => props.citation?.verdict === 'new';
  const [file, { refetch }] = createReading(
    // A file that does not exist yet has nothing to show.
    () =>
      isNew()
        ? false
        : { path: place().path, line: place().line, repo: props.citation?.repo ?? null },
    async ({ path, line, repo }) => {
      const at = repo === null ? { path } : { path, repo };
      const whole = await client.pinnedLines(conversation.sessionId, at);
      if (line === null || (whole.fromLine <= line && line <= whole.toLine)) return whole;
      const from = Math.max(1, line - AROUND);
      return client.pinnedLines(conversation.sessionId, { ...at, from, to: line + AROUND });
    },
  );
  onMount(() => pane?.focus({ preventScroll: true }));
  usePageKeys(() => [{ keys: ['Escape'], says: 'Close the file', does: { do: props.close } }]);
  const verdict = () => props.citation && VERDICTS[props.citation.verdict];
  return (
    <section
      class="pinned-file"
      aria-label={`File ${place().path}`}
      tabindex="-1"
      ref={pane}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        props.close();
      }}
    >
      <div class="section-head">
        <h2 class="mono">
          <bdi>{props.citedRef}</bdi>
        </h2>
        <Show when={verdict()}>
          {(verdictWords) => (
            <span class="cite-verdict" data-verdict={verdictWords()[0]} title={verdictWords()[1]}>
              {verdictWords()[0]}
            </span>
          )}
        </Show>
        <Show when={props.at}>
          {(at) => (
            <span class="row">
              <button
                type="button"
                class="quiet icon-only"
                aria-label="Previous citation ([)"
                onClick={() => props.move(-1)}
              >
                <Icon name="left" />
              </button>
              <small>
                {at().n} of {at().of}
              </small>
              <button
                type="button"
                class="quiet icon-only"
                aria-label="Next citation (])"
                onClick={() => props.move(1)}
              >
                <Icon name="right" />
              </button>
            </span>
          )}
        </Show>
        <button type="button" class="quiet" title="Escape" onClick={() => props.close()}>
          <Icon name="close" /> Close
        </button>
      </div>
      <Show when={verdict()}>{(verdictWords) => <p class="muted">{verdictWords()[1]}</p>}</Show>
      <Show when={!isNew() && file.error}>
        {(error) =>
          isNotFound(error()) ? (
            <p class="notice-line">
              <Icon name="warn" /> {explainProblem(error()).detail}
            </p>
          ) : (
            <Problem error={error()} retry={() => void refetch()} />
          )
        }
      </Show>
      <Show when={!isNew() && !file.error}>
        <Show when={file.latest} fallback={<p>Loading the file …</p>}>
          {(lines) => (
            <Lines file={lines()} from={place().line} to={place().toLine ?? place().line} />
          )}
        </Show>
      </Show>
    </section>
  );
}

function Lines(props: { file: PinnedLines; from: number | null; to: number | null }) {
  let list: HTMLOListElement | undefined;
  const texts = () => props.file.text.replace(/\n$/, '').split('\n');
  const isCited = (line: number) =>
    props.from !== null && line >= props.from && line <= (props.to ?? props.from);
  createEffect(
    on([() => props.file, () => props.from], ([file]) => {
      list
        ?.querySelector('.cited')
        ?.scrollIntoView({ block: 'center', behavior: 'instant' as ScrollBehavior });
      void colour(file);
    }),
  );
  async function colour({ path, text }: PinnedLines): Promise<void> {
    const language = detectLanguage(path);
    if (language === null || text.length > MAX_COLOURED) return;
    const [tokens] = await requestHighlight(language, [text]);
    if (!tokens || tokens.length === 0 || props.file.text !== text) return;
    for (const [index, line] of [...(list?.querySelectorAll('code') ?? [])].entries())
      line.replaceChildren(...createColouredNodes(line.textContent ?? '', [tokens[index] ?? []]));
  }
  return (
    <>
      <small>
        Commit <code>{props.file.commit.slice(0, 10)}</code>
        {props.file.toLine - props.file.fromLine + 1 < props.file.lines
          ? `, lines ${props.file.fromLine} to ${props.file.toLine} of ${props.file.lines}`
          : `, ${formatCount(props.file.lines, 'line')}`}
      </small>
      <section class="file-lines" tabindex="0" aria-label="Lines of the file">
        <ol class="plain" ref={list}>
          <Index each={texts()}>
            {(text, index) => {
              const number = () => props.file.fromLine + index;
              return (
                <li classList={{ cited: isCited(number()) }} aria-current={isCited(number())}>
                  <span class="line-number">{number()}</span>
                  <code>{revealTurningCharacters(text()) || ' '}</code>
                </li>
              );
            }}
          </Index>
        </ol>
      </section>
    </>
  );
}
