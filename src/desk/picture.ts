/** Taking a picture: drawing the scene, setting the badges, writing the PNG (gui-protocol.md section 7). */

import { encodePng } from "../image/png.ts";
import type { Raster } from "../image/raster.ts";
import { drawBadges } from "./badges.ts";
import type { CapturePlan } from "./pending.ts";
import { renderScene } from "./render/scene.ts";

/** Draws what a plan shows, straight at its final size. */
export function drawPicture(plan: CapturePlan): Raster {
  const { view, viewport, picture } = plan;
  const raster = renderScene(plan.scene, {
    center: view.center,
    // By the longer edge, where rounding the size to whole pixels matters least.
    unitsPerPixel: viewport.width >= viewport.height
      ? view.unitsPerPixel * viewport.width / picture.width
      : view.unitsPerPixel * viewport.height / picture.height,
    width: picture.width,
    height: picture.height,
  });
  drawBadges(raster, plan.badges);
  return raster;
}

/** Draws the picture and writes it to its path, over what is there; raises when that fails. */
export async function takePicture(plan: CapturePlan): Promise<void> {
  await Deno.writeFile(plan.path, await encodePng(drawPicture(plan)));
}
