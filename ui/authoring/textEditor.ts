import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { type Diagnostic as Mark, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Diagnostic } from '../../src/contract/schema/workflow/diagnostic.ts';
import { createFrontMatterCompletion } from './createFrontMatterCompletion.ts';
import { createMarkdownHighlighting } from './createMarkdownHighlighting.ts';

export interface TextEditor {
  /** Replaces the whole text if it differs; undo covers it. */
  setText(text: string): void;
  setFindings(findings: readonly Diagnostic[]): void;
  /** Puts the cursor there, in sight, and the focus into the text. */
  goTo(place: { line: number; column: number }): void;
  destroy(): void;
}

export interface TextEditorOptions {
  parent: HTMLElement;
  text: string;
  label: string;
  readOnly: boolean;
  onChange(text: string): void;
  /** Asks that the text be saved (Ctrl+S, Cmd+S). */
  save(): void;
  agents(): readonly string[];
}

const look = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    fontSize: '13px',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    {
      backgroundColor: 'var(--selected)',
    },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    maxWidth: '32rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--solid)',
    color: 'var(--on-solid)',
  },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--sans)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  // The library's own marks are pictures in data: addresses, which the content security policy
  // refuses.
  '.cm-lint-marker': { content: 'normal', width: '0.6em', height: '0.6em', margin: '0.45em 0.2em' },
  '.cm-lint-marker-error': { backgroundColor: 'var(--bad)', borderRadius: '50%' },
  '.cm-lint-marker-warning': {
    backgroundColor: 'var(--warn)',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
  },
  '.cm-lintRange': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
});

/** Where a finding is in the current text; the linter may have seen an older one. */
function toTextOffset(doc: Text, { line, column }: { line: number; column: number }): number {
  const docLine = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(docLine.from + column - 1, docLine.to);
}

/** From the place of a finding to the end of the word there. */
function toEditorMark(
  doc: Text,
  { line, column, severity, message, hint, code }: Diagnostic,
): Mark {
  const from = toTextOffset(doc, { line, column });
  const { to: end, text, from: start } = doc.lineAt(from);
  const word = /^[^\s,\]}]+/.exec(text.slice(from - start));
  const to = word ? from + word[0].length : end;
  return {
    from,
    to,
    severity: severity === 'note' ? 'info' : severity,
    source: code,
    message: hint === '' ? message : `${message}\n${hint}`,
  };
}

/**
 * Text in place of a selection: left to the browser, it joins the lines and keeps their look as
 * style attributes, which the content security policy refuses, with an error in the console for
 * each.
 */
const replaceByUs = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state, composing } = view;
    if (
      event.inputType !== 'insertText' ||
      event.data === null ||
      composing ||
      state.selection.main.empty
    )
      return false;
    event.preventDefault();
    view.dispatch(state.replaceSelection(event.data), {
      userEvent: 'input.type',
      scrollIntoView: true,
    });
    return true;
  },
});

/**
 * An editor in a shadow root of its own: there its styles are sheets that the document adopts,
 * which the content security policy lets pass; as elements it would refuse them.
 */
export function createTextEditor({
  parent,
  text,
  label,
  readOnly,
  onChange: changed,
  save,
  agents,
}: TextEditorOptions): TextEditor {
  const root = parent.attachShadow({ mode: 'open' });
  const frame = document.createElement('div');
  frame.style.height = '100%';
  root.append(frame);
  const view = new EditorView({
    root,
    parent: frame,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        createMarkdownHighlighting(),
        createFrontMatterCompletion(agents),
        keymap.of([
          {
            key: 'Mod-s',
            run() {
              save();
              return true;
            },
          },
          ...lintKeymap.filter(({ key }) => key === 'F8'),
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        ...(readOnly ? [EditorState.readOnly.of(true)] : [replaceByUs]),
        EditorView.contentAttributes.of({
          'aria-label': label,
          spellcheck: 'false',
          tabindex: '0',
        }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) changed(state.doc.toString());
        }),
        look,
      ],
    }),
  });
  return {
    setText(next) {
      const { doc } = view.state;
      if (doc.toString() !== next)
        view.dispatch({ changes: { from: 0, to: doc.length, insert: next } });
    },
    setFindings(findings) {
      const marks = findings.map((finding) => toEditorMark(view.state.doc, finding));
      view.dispatch(setDiagnostics(view.state, marks));
    },
    goTo(place) {
      const anchor = toTextOffset(view.state.doc, place);
      view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
