import { createEffect, createSignal, onCleanup, onMount, Show } from 'solid-js';
import type { Diagnostic } from '../../src/schema/diagnostic.ts';
import type { TextEditor } from './textEditor.ts';

interface EditorBoxProps {
  path: string;
  text: string;
  findings: readonly Diagnostic[];
  readOnly: boolean;
  changed: (text: string) => void;
  save: () => void;
  agents: readonly string[];
  /** Given the way to a place in the text, once the editor is there. */
  ready: (goTo: TextEditor['goTo']) => void;
}

/** The editor of one file. It is loaded when it is first shown: no other page pays for it. */
export function EditorBox(props: EditorBoxProps) {
  let box: HTMLDivElement | undefined;
  const [editor, setEditor] = createSignal<TextEditor | null>(null);
  let gone = false;
  onMount(async () => {
    const { createTextEditor } = await import('./textEditor.ts');
    if (gone || !box) return;
    const made = createTextEditor({
      parent: box,
      text: props.text,
      label: `Text of ${props.path}`,
      readOnly: props.readOnly,
      changed: (text) => props.changed(text),
      save: () => props.save(),
      agents: () => props.agents,
    });
    setEditor(made);
    props.ready(made.goTo);
  });
  onCleanup(() => {
    gone = true;
    editor()?.destroy();
  });
  createEffect(() => editor()?.setText(props.text));
  createEffect(() => editor()?.setFindings(props.findings));
  return (
    <div class="editor-box">
      <div ref={box} class="editor-mount" />
      <Show when={!editor()}>
        <p class="muted editor-wait">Loading the editor …</p>
      </Show>
    </div>
  );
}
