import { For, type JSX } from 'solid-js';

export function ColourLegend(props: { of: readonly { tone: string; says: string }[] }) {
  return (
    <p class="statistic-key">
      <For each={props.of}>
        {({ tone, says }) => (
          <span>
            <i class={`swatch ${tone}`} /> {says}
          </span>
        )}
      </For>
    </p>
  );
}

export function NumberTable(props: { label: string; children: JSX.Element }) {
  return (
    // In the tab order: a box that scrolls must be reachable by keyboard.
    <section class="numbers" tabindex="0" aria-label={props.label}>
      <table>{props.children}</table>
    </section>
  );
}
