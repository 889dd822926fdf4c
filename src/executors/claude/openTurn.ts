export interface OpenTurn {
  over: Promise<void>;
  end(): void;
  interrupted: boolean;
}

export function openTurn(): OpenTurn {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end, interrupted: false };
}
