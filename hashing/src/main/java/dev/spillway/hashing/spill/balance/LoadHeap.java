package dev.spillway.hashing.spill.balance;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * An indexed binary heap of targets: the one of the least key on top, and any one's key changed in
 * O(log n). Among equal keys a coin decides, so that no target is preferred for its place in a
 * list. Not thread-safe.
 */
final class LoadHeap {
  private final List<TargetLoad> heap = new ArrayList<>();
  private final IntUnaryOperator below;

  /**
   * @param below a uniform int in {@code [0, bound)}
   */
  LoadHeap(IntUnaryOperator below) {
    this.below = below;
  }

  /** The one to take; null if there is none. */
  TargetLoad top() {
    return heap.isEmpty() ? null : heap.getFirst();
  }

  int size() {
    return heap.size();
  }

  /** Under its own {@link TargetLoad#key}. */
  void add(TargetLoad load) {
    heap.add(load);
    load.place = heap.size() - 1;
    load.heapKey = load.key();
    up(load.place);
  }

  /** Under its own {@link TargetLoad#key}, after that has changed. */
  void update(TargetLoad load) {
    set(load, load.key());
  }

  /** Under another key than its own, until {@link #update}. */
  void set(TargetLoad load, int key) {
    int old = load.heapKey;
    load.heapKey = key;
    if (key < old) {
      up(load.place);
    } else if (key > old) {
      down(load.place);
    }
  }

  private void up(int from) {
    int place = from;
    while (place > 0) {
      int parent = (place - 1) / 2;
      if (!goesBefore(place, parent)) {
        return;
      }
      swap(place, parent);
      place = parent;
    }
  }

  private void down(int from) {
    int place = from;
    while (true) {
      int left = 2 * place + 1;
      if (left >= heap.size()) {
        return;
      }
      int right = left + 1;
      int child = right < heap.size() && goesBefore(right, left) ? right : left;
      if (!goesBefore(child, place)) {
        return;
      }
      swap(place, child);
      place = child;
    }
  }

  private boolean goesBefore(int place, int other) {
    int key = heap.get(place).heapKey;
    int otherKey = heap.get(other).heapKey;
    return key < otherKey || (key == otherKey && below.applyAsInt(2) == 0);
  }

  private void swap(int place, int other) {
    TargetLoad load = heap.get(place);
    put(place, heap.get(other));
    put(other, load);
  }

  private void put(int place, TargetLoad load) {
    heap.set(place, load);
    load.place = place;
  }
}
