import { type RefObject, useEffect, useRef, useState } from "react";

/** Whether an element has been as close as `margin` to what is visible: what is far away is neither loaded nor drawn. */
export function useNearness<Watched extends Element>(
  margin: string,
  startsNear = false,
): { element: RefObject<Watched | null>; near: boolean } {
  const element = useRef<Watched>(null);
  const [near, setNear] = useState(startsNear);
  useEffect(() => {
    if (near || !element.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      // The second is for what scrolls within the page.
      { rootMargin: margin, scrollMargin: margin },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [margin, near]);
  return { element, near };
}
