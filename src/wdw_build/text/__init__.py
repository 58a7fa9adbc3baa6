"""Pure functions over text: tokens, names, datelines, trees and overlap. No state, no input or output."""
