import { createEffect, createSignal, onCleanup, Show, untrack } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import type { Diagnostic } from '../../src/contract/schema/workflow/diagnostic.ts';
import { loadPart } from '../shell/signals/lazyPart.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import type { TextEditor } from './textEditor.ts';

interface EditorBoxProps {
  path: string;
  text: string;
  findings: readonly Diagnostic[];
  readOnly: boolean;
  onChange: (text: string) => void;
  save: () => void;
  agents: readonly string[];
  /** Receives the function that moves to a place in the text, once the editor is ready. */
  onReady: (goTo: TextEditor['goTo']) => void;
}

/** The editor of one file. It is loaded when it is first shown: no other page pays for it. */
export function EditorBox(props: EditorBoxProps) {
  let box: HTMLDivElement | undefined;
  const [editor, setEditor] = createSignal<TextEditor | null>(null);
  const [editorPart, { refetch }] = createReading(() => loadPart(() => import('./textEditor.ts')));
  createEffect(() => {
    const createTextEditor = editorPart.error ? undefined : editorPart()?.createTextEditor;
    if (createTextEditor) untrack(() => begin(createTextEditor));
  });
  function begin(createTextEditor: typeof import('./textEditor.ts').createTextEditor): void {
    if (!box) return;
    const editor = createTextEditor({
      parent: box,
      text: props.text,
      label: `Text of ${props.path}`,
      readOnly: props.readOnly,
      onChange: (text) => props.onChange(text),
      save: () => props.save(),
      agents: () => props.agents,
    });
    setEditor(editor);
    props.onReady(editor.goTo);
  }
  onCleanup(() => editor()?.destroy());
  createEffect(() => editor()?.setText(props.text));
  createEffect(() => editor()?.setFindings(props.findings));
  return (
    <div class="editor-box">
      <div ref={box} class="editor-mount" />
      <Show when={editorPart.error}>
        {(error) => <Problem error={error()} retry={() => void refetch()} />}
      </Show>
      <Show when={!editor() && !editorPart.error}>
        <p class="muted editor-wait">Loading the editor …</p>
      </Show>
    </div>
  );
}
