// Texts whose contrast with what is behind them is below 4.5 (3 if they are large): WCAG 2, level AA. Colours
// are read back from a canvas, which knows every notation.
const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", {
  willReadFrequently: true,
});
function rgba(colour) {
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}
function luminance([r, g, b]) {
  const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
}
function behind(node) {
  for (let at = node; at; at = at.parentElement) {
    const colour = rgba(getComputedStyle(at).backgroundColor);
    if (colour[3] > 0.99) return colour;
  }
  return rgba("Canvas");
}
const faint = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !node.checkVisibility() || node.closest("svg, .unseen, #toast, :disabled"))
    continue;
  const style = getComputedStyle(node);
  const [high, low] = [luminance(rgba(style.color)), luminance(behind(node))].sort((a, b) => b - a);
  const ratio = (high + 0.05) / (low + 0.05);
  const large = Number.parseFloat(style.fontSize) >= 24;
  if (ratio < (large ? 3 : 4.5)) faint.add(`${node.className || node.tagName}: ${ratio.toFixed(2)}`);
}
return [...faint];
