import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname } from "node:path";
import type { DeskOptions } from "../../src/desk/desk.ts";
import { encodePng } from "../../src/image/png.ts";
import { type BridgeProgram, testEachProgram } from "../support/bridge_program.ts";
import { Agent, bridgeAt, type DeskHere, deskHere, untilFolder, untilState } from "./stage.ts";

/** A picture that costs nothing to make. */
const DOT = await encodePng({
  width: 1,
  height: 1,
  data: new Uint8ClampedArray([255, 255, 255, 255]),
});

type TakePicture = NonNullable<DeskOptions["takePicture"]>;

/** A desk that draws nothing before it is let; `asked` resolves with the path once it has to. */
function slowHand() {
  const asked = Promise.withResolvers<string>();
  const drawing = Promise.withResolvers<void>();
  const takePicture: TakePicture = async ({ path }) => {
    asked.resolve(path);
    await drawing.promise;
    await Deno.writeFile(path, DOT);
  };
  return { asked: asked.promise, draw: () => drawing.resolve(), takePicture };
}

testEachProgram("no kind of picture leaves a file", async (program) => {
  await using desk = await deskHere();
  await using bridge = await bridgeAt(program, desk.configDir);
  const agent = new Agent(bridge, desk.sessionId);
  await agent.draw([{ type: "Circle", center: [0, 0], radius: 5 }]);
  for (const delivery of ["inline", "resource", "both"]) {
    await agent.capture({ delivery, diff: true, annotate: true });
    assertEquals(files(desk), []);
  }
  await agent.capture({ tile: { level: 1, x: 0, y: 1 }, pyramid_manifest: true });
  assertEquals(files(desk), []);
  const base = `cad://session/${desk.sessionId}`;
  for (const path of ["viewport.png", "tile/3/4/4.png", "tile/3/4/4.json"]) {
    await bridge.result("resources/read", { uri: `${base}/${path}` });
    assertEquals(files(desk), []);
  }
  if (Deno.build.os !== "windows") {
    assertEquals((Deno.statSync(folder(desk)).mode ?? 0) & 0o777, 0o700);
  }
});

testEachProgram("nor does a failed one, whatever the editor wrote", async (program) => {
  const hands: readonly (readonly [string, TakePicture, string])[] = [
    ["throws", () => Promise.reject(new Error("no frame")), "no frame"],
    [
      "throws after it has begun to write",
      async ({ path }) => {
        await Deno.writeFile(path, DOT.subarray(0, 20));
        throw new Error("disk full");
      },
      "disk full",
    ],
    ["writes something else", ({ path }) => Deno.writeTextFile(path, "not a picture"), "PNG"],
    ["writes nothing", () => Promise.resolve(), "PNG"],
    ["makes a link", ({ path }) => Deno.symlink("/etc/hostname", path), "PNG"],
  ];
  for (const [name, takePicture, seen] of hands) {
    await using desk = await deskHere({ takePicture });
    await using bridge = await bridgeAt(program, desk.configDir);
    const agent = new Agent(bridge, desk.sessionId);
    await agent.execute({ op: "new" });
    const text = await agent.refusal("ocs_capture", {});
    assertStringIncludes(text, seen, name);
    assertMatch(text, /[Cc]all ocs_capture again/);
    assertEquals(files(desk), [], name);
  }
});

testEachProgram("what is drawn after a cancel is removed all the same", async (program) => {
  const hand = slowHand();
  await using desk = await deskHere({ takePicture: hand.takePicture });
  await using bridge = await bridgeAt(program, desk.configDir);
  await askForPicture(bridge, desk);
  const path = await hand.asked;
  await bridge.notify("notifications/cancelled", { requestId: 5 });
  // Later than the cancel: requests are taken up in order.
  await bridge.result("ping");
  hand.draw();
  await untilState(desk, ({ operation }) => operation === null);
  await gone(dirname(path));
  assertEquals(files(desk), []);
  assertEquals(bridge.messages.filter(({ id }) => id === 5), []);
});

testEachProgram(
  "and what is drawn while the client is leaving, or after it left",
  async (program) => {
    for (const early of [true, false]) {
      const hand = slowHand();
      await using desk = await deskHere({ takePicture: hand.takePicture });
      await using bridge = await bridgeAt(program, desk.configDir);
      await askForPicture(bridge, desk);
      await hand.asked;
      await bridge.closeInput();
      if (early) hand.draw();
      assertEquals(await bridge.exitCode(), 0);
      hand.draw();
      await untilState(desk, ({ operation }) => operation === null);
      assertEquals(files(desk), []);
    }
  },
);

testEachProgram("what a killed bridge leaves is swept by the next one", async (program) => {
  const hand = slowHand();
  await using desk = await deskHere({ takePicture: hand.takePicture });
  let left: string;
  {
    await using bridge = await bridgeAt(program, desk.configDir);
    await askForPicture(bridge, desk);
    left = await hand.asked;
    bridge.kill("SIGKILL");
    await bridge.exited;
  }
  hand.draw();
  await untilState(desk, ({ operation }) => operation === null);
  const [orphan = ""] = files(desk);
  assertEquals(`${folder(desk)}/${orphan}/picture.png`, left);

  // What is not a leftover stays: another bridge's that lives, and files that are not ours.
  const uuid = crypto.randomUUID();
  const old = `${Deno.pid}-${crypto.randomUUID()}.png`;
  const others = [`${Deno.pid}-${uuid}.png`, "plan.png", `${uuid}.txt`];
  for (const name of [...others, old]) await Deno.writeFile(`${folder(desk)}/${name}`, DOT);
  const long = new Date(Date.now() - 3_600_000);
  await Deno.utime(`${folder(desk)}/${old}`, long, long);
  // It is enough that the next one starts.
  await using next = await bridgeAt(program, desk.configDir);
  const agent = new Agent(next, desk.sessionId);
  await gone(dirname(left));
  await gone(`${folder(desk)}/${old}`);
  assertEquals(files(desk), others.toSorted());
  assertEquals((await agent.capture()).png, DOT);
  assertEquals(files(desk), others.toSorted());
});

/** Asks for a picture under the id 5 and does not wait for it. */
async function askForPicture(bridge: BridgeProgram, desk: DeskHere): Promise<void> {
  await new Agent(bridge, desk.sessionId).execute({ op: "new" });
  const params = { name: "ocs_capture", arguments: { ocs_session_id: desk.sessionId } };
  await bridge.send({ jsonrpc: "2.0", id: 5, method: "tools/call", params });
}

function folder({ automationDir }: DeskHere): string {
  return `${automationDir}/captures`;
}

function files(desk: DeskHere): readonly string[] {
  return [...Deno.readDirSync(folder(desk))].map(({ name }) => name).sort();
}

/** Waits until the file is not there any more. */
function gone(path: string): Promise<void> {
  return untilFolder(
    path.replace(/\/[^/]*$/, ""),
    () => Deno.lstat(path).then(() => false, () => true),
  );
}
