import { describe, expect, test } from "vitest";
import { readTraceparent } from "./trace.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

describe("a traceparent", () => {
  test("is read with its flag", () => {
    expect(readTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, sampled: true });
    expect(readTraceparent(`00-${traceId}-${spanId}-02`)).toEqual({ traceId, spanId, sampled: false });
  });
  test("of a later version may have more parts", () => {
    expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes`)).toMatchObject({ traceId });
  });
  test.for([
    undefined,
    ["a", "b"],
    "hello",
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
  ])("is none: %s", (text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });
});
