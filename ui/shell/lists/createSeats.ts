import {
  type Accessor,
  createSignal,
  getOwner,
  type JSX,
  onCleanup,
  runWithOwner,
  type Setter,
  untrack,
} from 'solid-js';

/** An element and the item that it shows, which changes when the element is reused. */
interface Seat<Item> {
  element: HTMLElement;
  setItem: Setter<Item>;
  setUsed: Setter<boolean>;
}

/**
 * Elements for the items of a long list that are drawn. An element whose item is drawn no longer is
 * used again for one that comes into view: scrolling makes no elements. Those that are not needed
 * wait outside the document.
 *
 * `make` makes one element; `item` changes when it is used again, `isUsed` is false while it waits.
 */
export function createSeats<Item extends object>(
  make: (item: Accessor<Item>, isUsed: Accessor<boolean>) => JSX.Element,
) {
  const owner = getOwner();
  let usedSeats = new Map<Item, Seat<Item>>();
  let waitingSeats: Seat<Item>[] = [];

  function createSeat(first: Item): Seat<Item> {
    const [item, setItem] = createSignal(first);
    const [isUsed, setUsed] = createSignal(true);
    const element = runWithOwner(owner, () => untrack(() => make(item, isUsed)));
    if (!(element instanceof HTMLElement)) throw new Error('a seat is one element');
    return { element, setItem, setUsed };
  }

  onCleanup(() => {
    for (const { element } of [...usedSeats.values(), ...waitingSeats]) element.remove();
  });

  return {
    elementOf: (item: Item): HTMLElement | undefined => usedSeats.get(item)?.element,
    /**
     * Draws these items in this order, each within its parent; those drawn before that are not among
     * them make room. The elements of items that stay are not moved: the focus stays in them.
     */
    seat(items: readonly Item[], findParent: (item: Item) => Element): void {
      const next = new Map<Item, Seat<Item>>();
      const wantedItems = new Set(items);
      const free = [...waitingSeats];
      for (const [item, seat] of usedSeats)
        if (!wantedItems.has(item)) {
          blurWithin(seat.element);
          free.push(seat);
        }
      const places = new Map<Element, HTMLElement>();
      for (const item of items) {
        const before = usedSeats.get(item);
        const seat = before ?? free.pop() ?? createSeat(item);
        if (!before) {
          seat.setItem(() => item);
          seat.setUsed(true);
        }
        next.set(item, seat);
      }
      // From last to first: each is inserted before its follower, which is already in place.
      for (const item of items.toReversed()) {
        const parent = findParent(item);
        const seat = next.get(item);
        if (!seat) continue;
        const follower = places.get(parent) ?? null;
        const isNew = usedSeats.get(item) !== seat || seat.element.parentElement !== parent;
        if (isNew && !isBefore(seat.element, parent, follower))
          parent.insertBefore(seat.element, follower);
        places.set(parent, seat.element);
      }
      for (const { element, setUsed } of free) {
        element.remove();
        setUsed(false);
      }
      usedSeats = next;
      waitingSeats = free;
    },
  };
}

const isBefore = (element: HTMLElement, parent: Element, follower: HTMLElement | null): boolean =>
  element.parentElement === parent && element.nextElementSibling === follower;

/** Otherwise the focus would move to another item without the user. */
function blurWithin(element: HTMLElement): void {
  const focusedElement = document.activeElement;
  if (focusedElement instanceof HTMLElement && element.contains(focusedElement))
    focusedElement.blur();
}
