import { For } from 'solid-js';

/** A sentence of ours in which commands are between backticks, as the command line prints them. */
export function CodedText(props: { text: string }) {
  return (
    <For each={props.text.split('`')}>
      {(part, index) => (index() % 2 === 1 ? <code>{part}</code> : part)}
    </For>
  );
}
