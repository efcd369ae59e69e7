import { useEffect, useEffectEvent } from "react";

type EventFor<K extends string> = K extends keyof WindowEventMap ? WindowEventMap[K] : Event;

/** Listen while the component is shown, and there is a target, with what the last drawing knows. */
export function useEvent<K extends keyof WindowEventMap>(
  target: EventTarget | null,
  type: K,
  listener: (event: EventFor<K>) => void,
  capture = false,
): void {
  const listen = useEffectEvent(listener);
  useEffect(() => {
    const handle = (event: Event) => listen(event as EventFor<K>);
    target?.addEventListener(type, handle, capture);
    return () => target?.removeEventListener(type, handle, capture);
  }, [target, type, capture]);
}
