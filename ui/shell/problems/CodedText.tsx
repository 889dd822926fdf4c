import { For } from 'solid-js';

export function CodedText(props: { text: string }) {
  return (
    <For each={props.text.split('`')}>
      {(part, index) => (index() % 2 === 1 ? <code>{part}</code> : part)}
    </For>
  );
}
